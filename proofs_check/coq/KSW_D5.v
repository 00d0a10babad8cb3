(* KSW-D5p: on the grid Z/Q, with whole levels, every added record changes the level by one, for all
   Q, r, t, j, x. *)
Require Import ZArith Lia.
From Touchstone Require Statements.
Open Scope Z_scope.
Definition level (Q r j s : Z) : Prop :=
  (s = 0 /\ - r < j < r) \/
  (s >= 1 /\ (s - 1) * Q + r <= j <= s * Q + r - 1) \/
  (s <= -1 /\ (- s - 1) * Q + r <= - j <= - s * Q + r - 1).
Definition k (t s : Z) := Z.abs s + Z.abs (t - s).

Lemma level_total : forall Q r j, 1 <= r <= Q -> exists s, level Q r j s.
Proof.
  intros Q r j H. unfold level.
  destruct (Z_lt_le_dec (Z.abs j) r) as [A|A].
  - exists 0. left. lia.
  - pose proof (Z.div_mod (Z.abs j + Q - r) Q ltac:(lia)) as D.
    pose proof (Z.mod_pos_bound (Z.abs j + Q - r) Q ltac:(lia)) as M.
    set (q := (Z.abs j + Q - r) / Q) in *.
    assert (1 <= q) by nia.
    destruct (Z_lt_le_dec j 0).
    + exists (- q). right; right. split; [lia|]. nia.
    + exists q. right; left. split; [lia|]. nia.
Qed.

Lemma step : forall Q r j x s s', 1 <= r <= Q -> 0 <= x <= Q ->
  level Q r j s -> level Q r (j + x) s' ->
  s' - s = 0 \/ s' - s = 1 \/ (s = -1 /\ s' = 1).
Proof. intros. unfold level in *. nia. Qed.

Theorem KSW_D5_level : forall Q r j x t s s', 1 <= r <= Q -> 0 <= x <= Q ->
  level Q r j s -> level Q r (j + x) s' -> Z.abs (k (t + 1) s' - k t s) = 1.
Proof.
  intros Q r j x t s s' H H0 H1 H2.
  destruct (step Q r j x s s' H H0 H1 H2) as [A|[A|[A B]]]; unfold k; lia.
Qed.

(* the statement of the ledger, as z3 decides it *)
Definition KSW_D5p_proved : Statements.KSW_D5p.
Proof.
  unfold Statements.KSW_D5p. intros r Q x s j s' t ((r0 & r1 & x0 & x1) & (A & B) & A' & B').
  apply (KSW_D5_level Q r j x t s s'); try lia; unfold level.
  - destruct (Z.eq_dec s 0); destruct (Z_gt_dec s 0); destruct (Z_lt_dec s 0); try lia; nia.
  - destruct (Z.eq_dec s' 0); destruct (Z_gt_dec s' 0); destruct (Z_lt_dec s' 0); try lia; nia.
Qed.
