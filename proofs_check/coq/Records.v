(* Records are clamped and rounded to the grid one by one, so neighbors stay neighbors: the release is
   private for records of any kind, in any order. *)
Require Import Reals ZArith Lia Lra List Permutation.
From Touchstone Require Import KSW_D5 Release Mass.
Import ListNotations.

(* the order of the records does not matter: only their sum and their number enter *)
Lemma order_is_free : forall eps A Q r D D' o, Permutation D D' ->
  law eps A Q r D o = law eps A Q r D' o.
Proof.
  intros eps A Q r D D' o P. unfold law.
  assert (T : total D = total D').
  { unfold total. induction P; simpl in *; lia. }
  assert (N : size D = size D') by (unfold size; rewrite (Permutation_length P); reflexivity).
  rewrite T, N. reflexivity.
Qed.

Section Records.
Variables (eps : R) (Q r : Z).
Hypothesis eps_pos : (0 < eps)%R.
Hypothesis shape : (1 <= r <= Q)%Z.
Variables (X : Type) (place : X -> Z).
Hypothesis on_the_grid : forall x, (0 <= place x <= Q)%Z.

(* one record added anywhere, or removed; every set of outputs of every function of the pair *)
Theorem raw_release_is_private : forall (Y : Type) (f : Z * Z -> Y) D D' x (T : Y -> Prop) p p',
  Permutation (x :: D) D' ->
  prob eps (height eps Q r) Q r (map place D) (fun o => T (f o)) p ->
  prob eps (height eps Q r) Q r (map place D') (fun o => T (f o)) p' ->
  (p' <= exp eps * p /\ p <= exp eps * p')%R.
Proof.
  intros Y f D D' x T p p' P H H'.
  apply (post_processing eps (height eps Q r) Q r eps_pos (height_pos eps Q r eps_pos shape) shape
    Y f (map place D) (place x) T p p' (on_the_grid x) H).
  assert (M : forall E, mass eps (height eps Q r) Q r (map place D') E =
    mass eps (height eps Q r) Q r (place x :: map place D) E).
  { induction E as [|o E IH]; simpl; [reflexivity|]. simpl in IH. rewrite IH. f_equal.
    symmetry. apply order_is_free. exact (Permutation_map place P). }
  unfold prob in *. destruct H' as [U L]. split.
  - intros s (E & N & I & ->). rewrite <- M. apply U. exists E. auto.
  - intros u V. apply L. intros s (E & N & I & ->). rewrite M. apply V. exists E. auto.
Qed.
End Records.

(* the nearest grid point of a clamped real record lies on the grid; ties to even, as Python rounds *)
Open Scope R_scope.
Definition rounded (y : R) : Z :=
  let f := Int_part y in
  if Rlt_dec (y - IZR f) (1 / 2) then f
  else if Rlt_dec (1 / 2) (y - IZR f) then (f + 1)%Z
  else if Z.even f then f else (f + 1)%Z.
Lemma rounded_is_near : forall y, Rabs (IZR (rounded y) - y) <= 1 / 2.
Proof.
  intros y. pose proof (base_Int_part y) as [A B]. unfold rounded.
  destruct (Rlt_dec (y - IZR (Int_part y)) (1 / 2)) as [H|H].
  - apply Rabs_le. lra.
  - destruct (Rlt_dec (1 / 2) (y - IZR (Int_part y))) as [K|K].
    + rewrite plus_IZR. apply Rabs_le. lra.
    + destruct (Z.even (Int_part y)); [|rewrite plus_IZR]; apply Rabs_le; lra.
Qed.
Definition clamped (low high x : R) : R := Rmin (Rmax x low) high.
Definition grid_index (Q : Z) (low high x : R) : Z :=
  rounded (IZR Q * (clamped low high x - low) / (high - low)).

Theorem grid_index_on_the_grid : forall Q low high x, (1 <= Q)%Z -> low < high ->
  (0 <= grid_index Q low high x <= Q)%Z.
Proof.
  intros Q low high x HQ Hw. unfold grid_index.
  set (y := IZR Q * (clamped low high x - low) / (high - low)).
  assert (C : low <= clamped low high x <= high).
  { unfold clamped, Rmin, Rmax. destruct (Rle_dec x low), (Rle_dec _ high); lra. }
  assert (Q1 : 1 <= IZR Q) by (apply IZR_le; exact HQ).
  assert (Y : 0 <= y <= IZR Q).
  { unfold y. split.
    - apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra].
    - apply (Rmult_le_reg_r (high - low)); [lra|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Rmult_le_compat_l; lra. }
  assert (N : - (1 / 2) <= IZR (rounded y) - y <= 1 / 2).
  { pose proof (rounded_is_near y) as N. unfold Rabs in N. destruct Rcase_abs in N; lra. }
  split.
  - assert (-1 < rounded y)%Z by (apply lt_IZR; lra). lia.
  - assert (rounded y < Q + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.

(* for real records: ksw.release-mean from the records to the law of its pair of integers *)
Theorem release_mean_is_private : forall eps Q r low high, 0 < eps -> (1 <= r <= Q)%Z -> low < high ->
  forall (Y : Type) (f : Z * Z -> Y) (D D' : list R) x (T : Y -> Prop) p p',
  Permutation (x :: D) D' ->
  prob eps (height eps Q r) Q r (map (grid_index Q low high) D) (fun o => T (f o)) p ->
  prob eps (height eps Q r) Q r (map (grid_index Q low high) D') (fun o => T (f o)) p' ->
  p' <= exp eps * p /\ p <= exp eps * p'.
Proof.
  intros eps Q r low high He Hr Hw. apply raw_release_is_private; auto.
  intros x. apply grid_index_on_the_grid; [lia|assumption].
Qed.
