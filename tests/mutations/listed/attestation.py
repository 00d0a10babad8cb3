"""Evidence packs: what the check compares, and to which side enclosures are rounded."""

from tests.mutations.mutation import Mutation

DYADIC = "attestation/test_dyadic.py"
EXP = f"{DYADIC}::test_encloses_the_exponential"
ENDS = f"{DYADIC}::test_ends_enclose_before_they_are_rounded"
PACK = "attestation/test_pack.py"
SEALED = f"{PACK}::test_what_was_sealed_anew_must_still_be_true"

# fmt: off
MUTATIONS = (
    Mutation("audit.certificate.fixed_point:FixedPoint._exp",
        old="-(-term * most // (number << inner))", new="term * most // (number << inner)",
        breaks="upper sums are rounded down",
        tests=(f"{DYADIC}::test_sums_enclose_without_the_digits_that_would_hide_a_wrong_side",)),
    Mutation("audit.attestation.dyadic:_exp",
        old="return 1 / upper, 1 / lower", new="return 1 / lower, 1 / upper",
        breaks="ends of e^(-x) change places",
        tests=(ENDS,)),
    Mutation("audit.attestation.dyadic:_exp",
        old="x < 0", new="False",
        breaks="of e^(-x) as many places are known as of e^x, and no digits",
        tests=(EXP,)),
    Mutation("audit.attestation.dyadic:_outward",
        old="-_rounded_up(-lower, bits)", new="_rounded_up(lower, bits)",
        breaks="lower ends are rounded up",
        tests=(f"{DYADIC}::test_what_needs_no_rounding_stays_exact",)),
    Mutation("audit.certificate.fixed_point:FixedPoint.logarithm",
        old="min(ends)", new="ends[0]",
        breaks="the lower end of k ln 2 is the upper one for negative k",
        tests=(ENDS,)),
    Mutation("audit.attestation.dyadic:certainly_less",
        old="False if a >= d else None", new="False",
        breaks="balls that overlap are compared",
        tests=(f"{DYADIC}::test_balls_that_overlap_are_not_compared",)),
    Mutation("audit.attestation.check:check_pack",
        old="found != named.keys() | {STATEMENT, DIGEST}",
        new="not found >= named.keys() | {STATEMENT, DIGEST}",
        breaks="a pack may hold more than it names",
        tests=(f"{PACK}::test_files_are_neither_missing_nor_added",)),
    Mutation("audit.attestation.check:check_pack",
        old="_same_hash(folder / name, digest)", new="digest",
        breaks="files need not have their hashes",
        tests=(f"{PACK}::test_no_byte_can_change",)),
    Mutation("audit.attestation.check:_certificate",
        old="_claimed(claim) != certificate.claim", new="False",
        breaks="a certificate may prove another claim",
        tests=(SEALED,)),
    Mutation("audit.attestation.check:_certificate",
        old="proved is not None and not _equal(proved, value)", new="False",
        breaks="a certificate may be of other parameters",
        tests=(SEALED,)),
    Mutation("audit.attestation.check:_certificate",
        old='audit["verdict"] != "PROVED" or certificate.mechanism != audit["target"]',
        new='audit["verdict"] != "PROVED"',
        breaks="a certificate may be of another mechanism",
        tests=(SEALED,)),
    Mutation("audit.attestation.check:_audits",
        old="_canonical(audit.get(key)) != _canonical(report.get(key))", new="False",
        breaks="the statement may say other things than the result",
        tests=(SEALED,)),
    Mutation("audit.attestation.check:_audits",
        old='_canonical([predicate.get("run"), predicate.get("versions")]) != _canonical([ran, '
        'result.get("versions")])',
        new="False",
        breaks="the statement may say other things of the run than the result",
        tests=(f"{PACK}::test_a_run_is_the_one_that_is_stated",)),
    Mutation("audit.certificate.fixed_point",
        old="SPARE = 64", new="SPARE = 0",
        breaks="the spare digits are left out, so that enclosures are wide",
        tests=(EXP,)),
)
