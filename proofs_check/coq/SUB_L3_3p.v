Require Import Reals Lra Psatz.
From Touchstone Require Statements.
Open Scope R_scope.
(* log density of (count noise a, sum noise b): -(eps/2)|a| - (eps/w)|b| *)
Theorem SUB_L3_3p : forall eps w a b v, 0 < eps -> 0 < w -> Rabs v <= w/2 ->
  Rabs (eps/2 * (Rabs (a-1) - Rabs a) + eps/w * (Rabs (b-v) - Rabs b)) <= eps.
Proof.
  intros eps w a b v He Hw Hv.
  assert (A : Rabs (Rabs (a-1) - Rabs a) <= 1)
    by (unfold Rabs; repeat destruct Rcase_abs; lra).
  assert (B : Rabs (Rabs (b-v) - Rabs b) <= w/2)
    by (unfold Rabs in *; repeat destruct Rcase_abs; lra).
  eapply Rle_trans; [apply Rabs_triang|].
  rewrite !Rabs_mult.
  rewrite (Rabs_right (eps/2)) by lra.
  assert (0 < eps/w) by (apply Rdiv_lt_0_compat; lra).
  rewrite (Rabs_right (eps/w)) by lra.
  replace eps with (eps/2 * 1 + eps/w * (w/2)) at 3 by (field; lra).
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.
(* the statement of the ledger, as z3 decides it *)
Definition SUB_L3_3p_proved : Statements.SUB_L3_3p.
Proof.
  unfold Statements.SUB_L3_3p. intros eps w v a b (He & Hw & Hv).
  assert (A : Rabs (Rabs (a-1) - Rabs a) <= 1)
    by (unfold Rabs; repeat destruct Rcase_abs; lra).
  assert (B : Rabs (Rabs (b-v) - Rabs b) <= w/2)
    by (unfold Rabs in *; repeat destruct Rcase_abs; lra).
  assert (C : Rabs (Rabs (b-v) - Rabs b) / w <= 1/2).
  { apply (Rmult_le_reg_r w); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra. }
  apply Rle_trans with (eps * 1); [apply Rmult_le_compat_l; lra|lra].
Qed.
