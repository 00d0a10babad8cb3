Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.
Theorem rr_loss_1 : Rabs (exp 1 / (1 + exp 1) - 731059/1000000) <= 1/2000000.
Proof. interval. Qed.
Theorem exp_61_50 : exp (-(61/50)) < 8/27.
Proof. interval. Qed.
(* KSW-T3', "m = 2, b <= 8/27", away from v = 0: v in [0, 2/3], cube root as a real power *)
Definition yc (b : R) := exp (ln ((1+b)/2) / 3).
Definition gap (v : R) := let b := v*v*v in let d := 1-b in
  let y := v * yc b in
  let inner := 2*(y-b) + 2*b*b/(1+b) in
  let at_zero := d*(2*d+inner)/4 in let below := b*(3*d+inner+b) in
  (1+b)*(v + yc b * yc b)*(y+d)/(d*d) - 4*v*(at_zero+below).
Theorem KSW_T3p_m2 : forall v, 0 <= v <= 2/3 -> 0 < gap v.
Proof. intros v H. unfold gap, yc. interval with (i_bisect v, i_autodiff v, i_depth 20). Qed.
(* "m = 1" on the part v <= 9/10 of the strip, theta in [0, 1/2] *)
Definition gap1 (v th : R) := let b := v*v*v in let d := 1-b in let y := v * yc b in
  let inner := 2*(y-b) + 2*b*b/(1+b) in
  let at_zero := (1/2-th)*(1/2-th)*d*(d+inner) in
  let below := (1-th)*(1-th)*b*(2*d+inner+b) in
  let cubic := 1/3 - th*th + 2/3*th*th*th in
  (b+y*y)*(y+d) + d*d*(y*(1-th*th)+d*cubic) - d*d*(at_zero+below)/(1+b).
Theorem KSW_T3p_m1 : forall v th, 0 <= v <= 1 -> 0 <= th <= 1/2 -> 0 < gap1 v th.
Proof. intros v th Hv Ht. unfold gap1, yc. interval with (i_bisect v, i_bisect th, i_depth 24). Qed.
