"""Mutations of the audits of personalized claims."""

from tests.mutations.mutation import Mutation, swapped

MEMBERS = "audit/test_members.py"
BY_USER = "audit/exact/test_by_user.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.pairs.users:pairs_of_users", old="neighbor[user] = value",
        new="neighbor[user - 1] = value",
        breaks="another user's record changes", tests=("audit/test_pairs.py",)),
    Mutation("audit.pairs.users:user_in_words", old="user + 1", new="user",
        breaks="users are counted from 0", tests=("audit/test_pairs.py",)),
    Mutation("audit.pairs.members:pairs_of_members", old="False", new="True",
        breaks="the user who joins is there already", tests=(MEMBERS,)),
    Mutation("audit.pairs.members:with_member", old="np.frombuffer(changed)[1]",
        new="np.frombuffer(changed)[0]",
        breaks="the record is read as the budget", tests=(MEMBERS,)),
    Mutation("audit.pairs.members:with_member", old="gone.total() + come.total() != 1",
        new="gone.total() + come.total() > 2",
        breaks="a replaced row is accepted", tests=(MEMBERS,)),
    Mutation("audit.pairs.members:with_member", old="known[user] != budget",
        new="known[user] > 99",
        breaks="the named user's budget is not compared", tests=(MEMBERS,)),
    Mutation("audit.engine.witness.shown:show", old="run.claim.level.budgets[smallest.user]",
        new="run.claim.level.budgets[0]",
        breaks="the first user's budget is told", tests=("cli/test_levels.py",)),
    Mutation("audit.exact.auditors.user:by_user",
        old="search(asked.mechanism, own, budgets[user], Fraction(0))",
        new="search(asked.mechanism, own, max(budgets), Fraction(0))",
        breaks="every user is held to the largest budget", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.user:_pairs", old="(nan,) if asked.placeholder else ()",
        new="(nan,) if asked.pairs else ()",
        breaks="missing records are left out", tests=(BY_USER,)),
    Mutation("audit.exact.question:worst_users", *swapped("<", ">"),
        breaks="the least loss of equal budgets is told", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.weights:loss_of", old="move / query.scale",
        new="move / query.scale / 2",
        breaks="half of the loss is told", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.weights:_every_user", old="loss is not None and loss <= budget",
        new="loss is None or loss <= budget",
        breaks="a sum without noise is no violation", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.weights:_broken", old="above - loss", new="loss - above",
        breaks="the neighbor's probability is too large", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.weights:_broken",
        old="numbers.between(*first) - numbers.exp(numbers.rational(budget)) "
            "* numbers.between(*second) - delta",
        new="numbers.between(*first) - numbers.exp(numbers.rational(budget)) "
            "* numbers.between(*second)",
        breaks="an event within delta refutes an approximate claim", tests=(BY_USER,)),
    Mutation("audit.exact.auditors.weights:_broken", old="(loss - budget) / 2",
        new="(loss - budget) / 3",
        breaks="the event is not the one with the most beyond e^epsilon", tests=(BY_USER,)),
    Mutation("audit.exact.exponentials:Exponentials.exp",
        old="isinstance(x, ExpSum) and all(exponent == 0 for exponent, _ in x.terms)",
        new="isinstance(x, ExpSum)",
        breaks="the exponential of any sum is taken",
        tests=("audit/exact/test_exponentials.py", "audit/exact/test_finite_laws.py")),
    Mutation("audit.exact.cells.finite_laws:_keep_exactly",
        old="not x > factor * y and not y > factor * x", new="not x > factor * y",
        breaks="one direction is decided",
        tests=("audit/exact/test_exponentials.py", "audit/exact/test_finite_laws.py")),
)
