(* Tactics for statements that are written by machine: a statement is split into cases without
   choices, absolute values and divisions, and each is left to the procedures for linear and
   polynomial arithmetic. A tactic proves nothing by itself: the kernel checks what it finds. *)
Require Export Reals ZArith Lra Lia Psatz Classical Bool.Sumbool.
Open Scope R_scope.

Ltac revert_facts := repeat match goal with
  | H : ?P |- _ => match type of P with Prop => revert H end end.

(* the goal is a chain of premises; each choice is decided for all of them at once *)
Ltac decide_choices := repeat match goal with
  | |- context [Rabs _] => unfold Rabs
  | |- context [if ?c then _ else _] => case c
  | |- context [match ?c with left _ => _ | right _ => _ end] => case c
  end.

Ltac name_floors := repeat match goal with
  | |- context [Int_part ?x] =>
    generalize (base_Int_part x); generalize (Int_part x)
  end.

Ltac name_absolutes := repeat match goal with
  | |- context [IZR (Z.abs ?x)] => generalize (Z.abs_spec x); generalize (Z.abs x)
  end.

Ltac is_fact H := let P := type of H in match type of P with Prop => idtac end.

Ltac simplify_facts := repeat match goal with
  | H : False |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  | H : exists _, _ |- _ => destruct H
  | H : ~ ~ _ |- _ => apply NNPP in H
  | H : ~ (_ /\ _) |- _ => apply not_and_or in H
  | H : ~ (_ \/ _) |- _ => apply not_or_and in H
  | H : ~ (_ <-> _) |- _ => unfold iff in H
  | H : ~ (?A -> ?B) |- _ => apply imply_to_and in H
  | H : ~ (_ <= _) |- _ => apply Rnot_le_lt in H
  | H : ~ (_ < _) |- _ => apply Rnot_lt_le in H
  | H : ~ (_ >= _) |- _ => apply Rnot_ge_lt in H
  | H : ~ (_ > _) |- _ => apply Rnot_gt_le in H
  | H : ~ (@eq R _ _) |- _ => apply Rdichotomy in H
  | H : _ <-> _ |- _ => destruct H
  | H : ?A -> ?B |- _ => match type of A with Prop => apply imply_to_or in H end
  end.

Ltac split_facts := simplify_facts; try match goal with
  | H : _ \/ _ |- _ => destruct H; split_facts
  end.

Ltac name_quotients := repeat match goal with
  | H : context [?a / ?b] |- _ =>
    lazymatch b with IZR (Zpos _) => fail | _ => idtac end;
    let N := fresh in let q := fresh "q" in let E := fresh in
    assert (N : b <> 0) by (first [lra | nra]);
    assert (E : a / b * b = a) by (field; exact N);
    set (q := a / b) in *; clearbody q
  end.

(* the negation of the statement is led to False, case by case *)
Ltac by_cases closing :=
  intros; apply NNPP; let N := fresh "N" in intro N;
  revert_facts; name_floors; name_absolutes; decide_choices; intros;
  split_facts; try name_quotients; closing.

Ltac polynomial := first [lra | nra].
Ltac squares2 := first [lra | nra | psatz R 2].
Ltac squares3 := first [lra | nra | psatz R 3].
Ltac squares4 := first [lra | nra | psatz R 4].
Ltac whole := first [lia | nia].

(* Whole numbers among real ones. Facts of whole numbers are told to the reals; what follows for the
   reals is told back as far as it speaks of whole numbers only, doubled (for halves), and as the
   least gap between any two of them. *)
Definition told (P : Prop) := True.
Definition compared (a b : Z) := True.

Ltac whole_splits := repeat match goal with
  | H : ~ (@eq Z ?a ?b) |- _ =>
    let H' := fresh in assert (H' : (a < b \/ b < a)%Z) by lia; clear H; destruct H'
  | H : ~ (?a <= ?b)%Z |- _ => apply Znot_le_gt in H
  | H : ~ (?a < ?b)%Z |- _ => apply Znot_lt_ge in H
  | H : ~ (?a >= ?b)%Z |- _ => apply Znot_ge_lt in H
  | H : ~ (?a > ?b)%Z |- _ => apply Znot_gt_le in H
  end.

Ltac tell P := lazymatch goal with _ : told P |- _ => fail | _ => idtac end;
  assert (told P) by exact I.

Ltac tell_reals := repeat match goal with
  | H : (?a <= ?b)%Z |- _ => tell (a <= b)%Z; pose proof (IZR_le a b H)
  | H : (?a < ?b)%Z |- _ => tell (a < b)%Z; pose proof (IZR_le (a + 1) b ltac:(lia))
  | H : (?a >= ?b)%Z |- _ => tell (a >= b)%Z; pose proof (IZR_le b a ltac:(lia))
  | H : (?a > ?b)%Z |- _ => tell (a > b)%Z; pose proof (IZR_le (b + 1) a ltac:(lia))
  | H : @eq Z ?a ?b |- _ => tell (a = b :> Z); pose proof (f_equal IZR H)
  end.

Ltac push_casts := repeat match goal with
  | H : context [IZR (_ + _)] |- _ => rewrite plus_IZR in H
  | H : context [IZR (_ - _)] |- _ => rewrite minus_IZR in H
  | H : context [IZR (_ * _)] |- _ => rewrite mult_IZR in H
  | H : context [IZR (- _)] |- _ => rewrite opp_IZR in H
  end.

Ltac doubled e := lazymatch e with
  | ?a + ?b => let x := doubled a in let y := doubled b in constr:((x + y)%Z)
  | ?a - ?b => let x := doubled a in let y := doubled b in constr:((x - y)%Z)
  | - ?a => let x := doubled a in constr:((- x)%Z)
  | 1 / 2 => constr:(1%Z)
  | IZR ?a => constr:((2 * a)%Z)
  end.
Ltac cast_back := apply le_IZR || apply lt_IZR;
  repeat (rewrite plus_IZR || rewrite minus_IZR || rewrite mult_IZR || rewrite opp_IZR); lra.
Ltac tell_back a b strict := let x := doubled a in let y := doubled b in
  lazymatch strict with
  | true => tell (x < y)%Z; assert (x < y)%Z by cast_back
  | false => tell (x <= y)%Z; assert (x <= y)%Z by cast_back
  end.
Ltac tell_wholes := repeat match goal with
  | H : ?a <= ?b |- _ => tell_back a b false
  | H : ?a < ?b |- _ => tell_back a b true
  | H : ?a >= ?b |- _ => tell_back b a false
  | H : ?a > ?b |- _ => tell_back b a true
  | H : @eq R ?a ?b |- _ => tell_back a b false; tell_back b a false
  end.

Ltac below a b k := assert (a < b + k)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
Ltac gap a b := try first [below a b (-1)%Z | below a b 0%Z | below a b 1%Z | below a b 2%Z].
Ltac gaps := repeat match goal with
  | a : Z, b : Z |- _ =>
    lazymatch goal with _ : compared a b |- _ => fail | _ => idtac end;
    assert (compared a b) by exact I; gap a b
  | a : Z |- _ =>
    lazymatch goal with _ : compared a 0 |- _ => fail | _ => idtac end;
    assert (compared a 0) by exact I; gap a 0%Z; gap 0%Z a
  end.
Ltac mixed := whole_splits; first [lia | tell_reals; push_casts;
  first [lra | tell_wholes; first [lia | gaps; first [lia | tell_reals; push_casts; first [lra | nra]]]]].

(* a counterexample: the formula fails at a point *)
Ltac at_point closing :=
  let H := fresh in intro H; revert H; decide_choices; intros; split_facts; closing.
