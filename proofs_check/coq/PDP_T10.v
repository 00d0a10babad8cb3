Require Import Reals Lra Psatz.
From Touchstone Require Statements.
Open Scope R_scope.
(* A = P(S | record removed), B, B' = P(S | record x, x' kept); each pair within e = e^eps *)
Theorem PDP_T10 : forall e p A B B', 1 <= e -> 0 <= p <= 1 -> B <= e * A -> B <= e * B' ->
  (1-p)*A + p*B <= (1 + p*(e-1)) * ((1-p)*A + p*B').
Proof.
  intros e p A B B' He Hp H1 H2.
  assert (B <= (e-1)*((1-p)*A + p*B') + B').
  { destruct (Rle_dec A B').
    - assert (0 <= (e-1)*p*(B'-A)) by (repeat apply Rmult_le_pos; lra). nra.
    - assert (0 <= (e-1)*(1-p)*(A-B')) by (repeat apply Rmult_le_pos; lra). nra. }
  assert (p*B <= p*((e-1)*((1-p)*A + p*B') + B')) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
(* tight: randomized response on the diffused record *)
Theorem PDP_T10_tight : forall e p, 1 <= e -> 0 <= p <= 1 ->
  let h := e/(e+1) in let l := 1/(e+1) in
  (1-p)*l + p*h = (1 + p*(e-1)) * ((1-p)*l + p*l).
Proof. intros e p He Hp h l; subst h l; field; lra. Qed.

(* the statements of the ledger, as z3 decides them *)
Definition PDP_T10_proved : Statements.PDP_T10.
Proof.
  unfold Statements.PDP_T10. intros a p A B' B (a0 & p0 & p1 & _ & _ & H1 & H2).
  apply PDP_T10; lra.
Qed.
Definition PDP_T2_proved : Statements.PDP_T2 := PDP_T10_proved.
Definition PDP_T11_proved : Statements.PDP_T11 := PDP_T10_proved.
