(* KSW-T2: every move changes the hourglass level by exactly one. *)
Require Import Reals ZArith Lra Lia Psatz.
From Touchstone Require Statements.
Open Scope R_scope.

(* |z| in [s-1+g, s+g) for s>=1, z in (-g, g) for s=0, mirrored for s<0 *)
Definition in_level (g z : R) (s : Z) : Prop :=
  ((s = 0)%Z /\ -g < z < g) \/
  ((s >= 1)%Z /\ IZR s - 1 + g <= z < IZR s + g) \/
  ((s <= -1)%Z /\ IZR s - g < z <= IZR s + 1 - g).
Definition k (t s : Z) : Z := (Z.abs s + Z.abs (t - s))%Z.

(* every point has a level: the definition is total *)
Lemma level_exists : forall g z, 0 < g <= 1 -> exists s, in_level g z s.
Proof.
  intros g z Hg.
  destruct (Rlt_dec z (-g)) as [H|H]; [|destruct (Rlt_dec z g) as [H'|H']].
  - (* below *) exists (- up (- z - g))%Z.
    destruct (archimed (- z - g)) as [A B].
    right; right. rewrite opp_IZR. split; [|lra].
    assert (0 < IZR (up (- z - g))) by lra.
    apply lt_IZR in H0. lia.
  - destruct (Req_dec z (-g)) as [E|E].
    + exists (-1)%Z. right; right. split; [lia|]. simpl. lra.
    + exists 0%Z. left. split; [reflexivity|lra].
  - exists (up (z - g))%Z. destruct (archimed (z - g)) as [A B].
    right; left. split; [|lra].
    assert (0 < IZR (up (z - g))) by lra.
    apply lt_IZR in H0. lia.
Qed.

Ltac to_R := repeat match goal with
  | H : (?a >= ?b)%Z |- _ => apply Z.ge_le in H; apply IZR_le in H
  | H : (?a <= ?b)%Z |- _ => apply IZR_le in H end.
Ltac to_Z := repeat match goal with
  | H : IZR ?a <= IZR ?b |- _ => apply le_IZR in H end.

Lemma step : forall g z x s r, 0 < g <= 1 -> 0 <= x <= 1 ->
  in_level g z s -> in_level g (z + x) r ->
  (r - s = 0 \/ r - s = 1 \/ (s = -1 /\ r = 1))%Z.
Proof.
  intros g z x s r Hg Hx Hs Hr; unfold in_level in *.
  destruct Hs as [[a b]|[[a b]|[a b]]]; destruct Hr as [[c d]|[[c d]|[c d]]];
    try subst s; try subst r; to_R;
    first [ exfalso; simpl in *; lra
          | assert (r < 2)%Z by (apply lt_IZR; simpl in *; lra);
            assert (-2 < s)%Z by (apply lt_IZR; simpl in *; lra); to_Z; lia
          | assert (r < 2)%Z by (apply lt_IZR; simpl in *; lra); to_Z; lia
          | assert (-2 < s)%Z by (apply lt_IZR; simpl in *; lra); to_Z; lia
          | assert (r < s + 2)%Z by (apply lt_IZR; rewrite plus_IZR; simpl in *; lra);
            assert (s < r + 1)%Z by (apply lt_IZR; rewrite plus_IZR; simpl in *; lra);
            to_Z; lia
          | lia ].
Qed.

Theorem KSW_T2 : forall g z x (t s r : Z), 0 < g <= 1 -> 0 <= x <= 1 ->
  in_level g z s -> in_level g (z + x) r -> Z.abs (k (t+1) r - k t s) = 1%Z.
Proof.
  intros g z x t s r Hg Hx Hs Hr.
  destruct (step g z x s r Hg Hx Hs Hr) as [H|[H|[H1 H2]]]; unfold k; lia.
Qed.

(* the statement of the ledger, as z3 decides it *)
Lemma in_level_of_choice : forall g z s,
  ((s = 0)%Z /\ Rabs z < g) \/ (~ (s = 0)%Z /\
    (((s > 0)%Z /\ (IZR (s - 1) + g <= z /\ z < IZR s + g)) \/
     (~ (s > 0)%Z /\ (IZR (- s - 1) + g <= - z /\ - z < IZR (- s) + g)))) ->
  in_level g z s.
Proof.
  intros g z s [[E H]|[N [[P [A B]]|[P [A B]]]]]; unfold in_level.
  - left. apply Rabs_def2 in H. split; [exact E|lra].
  - right; left. rewrite minus_IZR in *. split; [lia|lra].
  - right; right. rewrite minus_IZR in *. rewrite opp_IZR in *. split; [lia|lra].
Qed.

Definition KSW_T2_proved : Statements.KSW_T2.
Proof.
  unfold Statements.KSW_T2. intros e g x z s r t (e0 & g0 & g1 & x0 & x1 & Hs & Hr).
  assert (H : (Z.abs ((Z.abs r + Z.abs (t + 1 - r)) - (Z.abs s + Z.abs (t - s))) = 1)%Z)
    by (apply (KSW_T2 g z x t s r); try lra; apply in_level_of_choice; assumption).
  rewrite H. lra.
Qed.
