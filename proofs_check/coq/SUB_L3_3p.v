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
(* as exported: the same after multiplying by w/eps; automatic *)
Theorem SUB_L3_3p_auto : forall w a b v, 0 < w -> Rabs v <= w/2 ->
  -w <= w/2*(Rabs (a-1) - Rabs a) + (Rabs (b-v) - Rabs b) <= w.
Proof. intros w a b v. unfold Rabs. repeat destruct Rcase_abs; nra. Qed.

(* the statement of the ledger, as z3 decides it *)
Definition SUB_L3_3p_proved : Statements.SUB_L3_3p.
Proof.
  unfold Statements.SUB_L3_3p. intros w v a b [W V].
  destruct (SUB_L3_3p_auto w a b v W V). split; lra.
Qed.
