(* Pure differential privacy of the discrete hourglass release (KSW-A3 with KSW-D5), add-remove. *)
Require Import Reals ZArith Lia Lra Psatz List.
From Touchstone Require Import KSW_D5.
Import ListNotations.
Open Scope R_scope.

Definition lev (Q r j : Z) : Z := (Z.sgn j * ((Z.abs j + Q - r) / Q))%Z.

Lemma lev_ok : forall Q r j, (1 <= r <= Q)%Z -> level Q r j (lev Q r j).
Proof.
  intros Q r j H. unfold level, lev.
  pose proof (Z.div_mod (Z.abs j + Q - r) Q ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (Z.abs j + Q - r) Q ltac:(lia)) as M.
  set (q := ((Z.abs j + Q - r) / Q)%Z) in *.
  destruct (Z_lt_le_dec (Z.abs j) r) as [A|A].
  - assert (q = 0)%Z by nia. left. rewrite H0. lia.
  - assert (1 <= q)%Z by nia. destruct (Z_lt_le_dec j 0).
    + right; right. replace (Z.sgn j) with (-1)%Z by lia. split; [lia|]. nia.
    + right; left. replace (Z.sgn j) with 1%Z by lia. split; [lia|]. nia.
Qed.

Section Mechanism.
Variables (eps A : R) (Q r : Z).
Hypothesis eps_pos : 0 < eps.
Hypothesis A_pos : 0 < A.
Hypothesis shape : (1 <= r <= Q)%Z.

(* probability of the noise point (j / Q, t) *)
Definition weight (j t : Z) : R := A * exp (- eps * IZR (k t (lev Q r j))).
Definition total (D : list Z) : Z := fold_right Z.add 0%Z D.
Definition size (D : list Z) : Z := Z.of_nat (length D).
(* probability that the noisy pair is o, for data D on the grid 0 .. Q *)
Definition law (D : list Z) (o : Z * Z) : R := weight (fst o - total D) (snd o - size D).

Lemma pointwise : forall D x o, (0 <= x <= Q)%Z ->
  law (x :: D) o <= exp eps * law D o /\ law D o <= exp eps * law (x :: D) o.
Proof.
  intros D x [u v] Hx. unfold law, weight; simpl fst; simpl snd.
  set (j := (u - total (x :: D))%Z). set (t := (v - size (x :: D))%Z).
  assert (Ej : (u - total D = j + x)%Z) by (unfold j; simpl; lia).
  assert (Et : (v - size D = t + 1)%Z) by (unfold t, size; simpl length; lia).
  rewrite Ej, Et.
  pose proof (KSW_D5_level Q r j x t _ _ shape Hx (lev_ok Q r j shape) (lev_ok Q r (j + x) shape)) as L.
  set (k1 := k t (lev Q r j)) in *. set (k2 := k (t + 1) (lev Q r (j + x))) in *.
  assert (B : IZR k2 = IZR k1 + 1 \/ IZR k2 = IZR k1 - 1).
  { destruct (Z.abs_eq_cases (k2 - k1) 1) as [E|E]; try lia.
    - left. replace k2 with (k1 + 1)%Z by lia. apply plus_IZR.
    - right. replace k2 with (k1 - 1)%Z by lia. apply minus_IZR. }
  split; rewrite <- Rmult_assoc, (Rmult_comm (exp eps) A), Rmult_assoc, <- exp_plus;
    apply Rmult_le_compat_l; try lra;
    (destruct (Rle_lt_dec (- eps * IZR k1) (eps + - eps * IZR k2)) as [C|C];
     destruct (Rle_lt_dec (- eps * IZR k2) (eps + - eps * IZR k1)) as [C'|C'];
     try (exfalso; destruct B as [B|B]; rewrite B in *; nra));
    match goal with |- exp ?a <= exp ?b =>
      destruct (Req_dec a b) as [E|E]; [rewrite E; lra | left; apply exp_increasing; lra] end.
Qed.

Definition mass (D : list Z) (E : list (Z * Z)) : R := fold_right (fun o s => law D o + s) 0 E.

Lemma finite_events : forall D x E, (0 <= x <= Q)%Z ->
  mass (x :: D) E <= exp eps * mass D E /\ mass D E <= exp eps * mass (x :: D) E.
Proof.
  intros D x E Hx. induction E as [|o E IH]; simpl; [lra|].
  destruct (pointwise D x o Hx). destruct IH. nra.
Qed.

(* probability of any set of outputs: the least upper bound of its finite parts *)
Definition prob (D : list Z) (S : Z * Z -> Prop) (p : R) : Prop :=
  is_lub (fun s => exists E, NoDup E /\ (forall o, In o E -> S o) /\ s = mass D E) p.

Theorem release_is_private : forall D x (S : Z * Z -> Prop) p p', (0 <= x <= Q)%Z ->
  prob D S p -> prob (x :: D) S p' -> p' <= exp eps * p /\ p <= exp eps * p'.
Proof.
  assert (G : 0 < exp eps) by apply exp_pos.
  intros D x S p p' Hx [U L] [U' L']. split.
  - apply L'. intros s (E & N & I & ->). destruct (finite_events D x E Hx) as [F _].
    assert (mass D E <= p) by (apply U; exists E; auto). nra.
  - apply L. intros s (E & N & I & ->). destruct (finite_events D x E Hx) as [_ F].
    assert (mass (x :: D) E <= p') by (apply U'; exists E; auto). nra.
Qed.

(* whatever is computed from the noisy pair: the event of an output is an event of the pair *)
Theorem post_processing : forall (Y : Type) (f : Z * Z -> Y) D x (T : Y -> Prop) p p', (0 <= x <= Q)%Z ->
  prob D (fun o => T (f o)) p -> prob (x :: D) (fun o => T (f o)) p' ->
  p' <= exp eps * p /\ p <= exp eps * p'.
Proof. intros; eapply release_is_private; eauto. Qed.
End Mechanism.
