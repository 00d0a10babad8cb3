(* KSW-D5: the sampler of `ksw.release-mean` draws from the stated law, up to the constant that
   rejection divides by. A candidate is a sign, a geometric G, a place below Q and two more geometrics;
   places from r on are kept with probability b, and minus zero is drawn again. *)
Require Import Reals ZArith Lia Lra Psatz.
From Touchstone Require Import KSW_D5 Release Mass.
Open Scope R_scope.

Record candidate := { minus : bool; whole : nat; part : Z; up : nat; down : nat }.

Section Sampler.
Variables (Q r : Z) (b : R).
Hypothesis shape : (1 <= r <= Q)%Z.
Hypothesis b_range : 0 < b < 1.

Definition sign (c : candidate) : Z := if minus c then (-1)%Z else 1%Z.
Definition outer (c : candidate) : Z := if Z_lt_dec (part c) r then 0%Z else 1%Z.
Definition drawn_j (c : candidate) : Z := (sign c * (Z.of_nat (whole c) * Q + part c))%Z.
Definition drawn_t (c : candidate) : Z :=
  (sign c * (Z.of_nat (whole c) + outer c) + Z.of_nat (up c) - Z.of_nat (down c))%Z.
Definition accepted (c : candidate) : Prop :=
  (0 <= part c < Q)%Z /\ ~ (minus c = true /\ whole c = 0%nat /\ part c = 0%Z).
(* probability of an accepted candidate, up to the constant (1 - b)^3 / (2 Q) *)
Definition chance (c : candidate) : R :=
  b ^ whole c * (if Z_lt_dec (part c) r then 1 else b) * (b ^ up c * b ^ down c).

Lemma magnitude : forall G p, (0 <= p < Q)%Z ->
  ((G * Q + p + Q - r) / Q = G + (if Z_lt_dec p r then 0 else 1))%Z.
Proof.
  intros G p H. destruct (Z_lt_dec p r).
  - symmetry. apply (Z.div_unique _ Q _ (p + Q - r)); lia.
  - symmetry. apply (Z.div_unique _ Q _ (p - r)); lia.
Qed.

(* the level of what is drawn is the one that T is centered at *)
Theorem level_of_candidate : forall c, accepted c ->
  lev Q r (drawn_j c) = (sign c * (Z.of_nat (whole c) + outer c))%Z.
Proof.
  intros [m G p u d] [P N]. unfold lev, drawn_j, sign, outer in *. simpl in *.
  assert (0 <= Z.of_nat G * Q)%Z by nia.
  set (S := if m then (-1)%Z else 1%Z).
  assert (A : Z.abs (S * (Z.of_nat G * Q + p)) = (Z.of_nat G * Q + p)%Z)
    by (unfold S; destruct m; lia).
  rewrite A, magnitude by assumption.
  destruct (Z.eq_dec (Z.of_nat G * Q + p) 0) as [E|E].
  - assert (p = 0)%Z by lia. assert (G = 0)%nat by nia. subst. simpl.
    destruct (Z_lt_dec 0 r); [|lia]. destruct S; reflexivity.
  - assert (B : Z.sgn (S * (Z.of_nat G * Q + p)) = S) by (unfold S; destruct m; lia).
    rewrite B. reflexivity.
Qed.

(* each j is drawn by exactly one sign, G and place *)
Theorem one_candidate : forall c c', accepted c -> accepted c' -> drawn_j c = drawn_j c' ->
  minus c = minus c' /\ whole c = whole c' /\ part c = part c'.
Proof.
  intros [m G p u d] [m' G' p' u' d'] [P N] [P' N']. unfold drawn_j, sign in *. simpl in *.
  intros E.
  assert (W : forall x y, (0 <= x)%Z -> (0 <= y)%Z -> (0 <= x * y)%Z) by (intros; nia).
  pose proof (W (Z.of_nat G) Q ltac:(lia) ltac:(lia)) as A.
  pose proof (W (Z.of_nat G') Q ltac:(lia) ltac:(lia)) as A'.
  assert (M : (Z.of_nat G * Q + p = Z.of_nat G' * Q + p')%Z) by (destruct m, m'; lia).
  assert (Z.of_nat G = Z.of_nat G' /\ p = p') as [EG Ep].
  { destruct (Z.div_mod_unique Q (Z.of_nat G) (Z.of_nat G') p p'); lia. }
  split; [|split; lia].
  destruct m, m'; try reflexivity; exfalso.
  - assert (Z.of_nat G * Q + p = 0)%Z by lia. apply N. repeat split; try lia. nia.
  - assert (Z.of_nat G' * Q + p' = 0)%Z by lia. apply N'. repeat split; try lia. nia.
Qed.

Theorem every_j_is_drawn : forall j, exists m G p, forall u d,
  let c := {| minus := m; whole := G; part := p; up := u; down := d |} in
  accepted c /\ drawn_j c = j.
Proof.
  intros j. exists (j <? 0)%Z, (Z.to_nat (Z.abs j / Q)), (Z.abs j mod Q)%Z. intros u d.
  pose proof (Z.div_mod (Z.abs j) Q ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (Z.abs j) Q ltac:(lia)) as M.
  assert (0 <= Z.abs j / Q)%Z by (apply Z.div_pos; lia).
  unfold accepted, drawn_j, sign. simpl. rewrite Z2Nat.id by assumption.
  destruct (Z.ltb_spec j 0); repeat split; try lia; try (intros (H1 & H2 & H3)); try lia.
Qed.

(* the two last geometrics: all pairs with a difference e, and their probabilities *)
Definition gap (e : Z) (n : nat) : nat * nat :=
  ((n + Z.to_nat (Z.max e 0))%nat, (n + Z.to_nat (Z.max (- e) 0))%nat).
Theorem gap_lists : forall e u d,
  (Z.of_nat u - Z.of_nat d = e)%Z <-> exists n, (u, d) = gap e n.
Proof.
  intros e u d. unfold gap. split.
  - intros H. exists (Nat.min u d). f_equal; lia.
  - intros [n H]. inversion H. lia.
Qed.

(* all candidates that give (j, t), listed once each by n, have chances that add up to
   b^(|s| + |t - s|) / (1 - b^2), s the level of j: the stated law, with one constant for all *)
Definition nth (m : bool) (G : nat) (p : Z) (e : Z) (n : nat) : candidate :=
  {| minus := m; whole := G; part := p; up := fst (gap e n); down := snd (gap e n) |}.

Theorem sampler_law : forall j t, exists list : nat -> candidate,
  (forall n, accepted (list n) /\ drawn_j (list n) = j /\ drawn_t (list n) = t) /\
  (forall c, accepted c -> drawn_j c = j -> drawn_t c = t -> exists n, c = list n) /\
  (forall n n', list n = list n' -> n = n') /\
  infinite_sum (fun n => chance (list n))
    (b ^ Z.to_nat (k t (lev Q r j)) / (1 - b * b)).
Proof.
  intros j t. destruct (every_j_is_drawn j) as (m & G & p & H).
  set (e := (t - lev Q r j)%Z). exists (nth m G p e).
  assert (L : forall n, lev Q r j = (sign (nth m G p e n) * (Z.of_nat G + outer (nth m G p e n)))%Z).
  { intros n. destruct (H (fst (gap e n)) (snd (gap e n))) as [A J]. rewrite <- J at 1.
    apply (level_of_candidate (nth m G p e n)). exact A. }
  split; [|split; [|split]].
  - intros n. destruct (H (fst (gap e n)) (snd (gap e n))) as [A J].
    split; [exact A|]. split; [exact J|].
    unfold drawn_t. simpl whole. rewrite <- L. simpl up. simpl down.
    assert (Z.of_nat (fst (gap e n)) - Z.of_nat (snd (gap e n)) = e)%Z
      by (apply gap_lists; exists n; destruct (gap e n); reflexivity).
    simpl in *. lia.
  - intros c A J T.
    destruct (H 0%nat 0%nat) as [A' J'].
    destruct (one_candidate c _ A A' ltac:(rewrite J, J'; reflexivity)) as (E1 & E2 & E3).
    simpl in E1, E2, E3.
    assert (Lc := level_of_candidate c A). rewrite J in Lc. unfold drawn_t in T. rewrite <- Lc in T.
    destruct (proj1 (gap_lists e (up c) (down c))) as [n En]; [unfold e; lia|].
    exists n. destruct c as [mc Gc pc uc dc]. simpl in *. unfold nth.
    rewrite <- En. simpl. subst. reflexivity.
  - intros n n' E. inversion E. lia.
  - assert (K : forall n, chance (nth m G p e n) = b ^ Z.to_nat (k t (lev Q r j)) * (b * b) ^ n).
    { intros n. unfold chance. simpl.
      assert (S1 : (Z.abs (lev Q r j) = Z.of_nat G + outer (nth m G p e n))%Z).
      { rewrite (L n). unfold sign, outer. destruct (Z_lt_dec _ _), (minus _); lia. }
      assert (X : b ^ G * (if Z_lt_dec p r then 1 else b) = b ^ Z.to_nat (Z.abs (lev Q r j))).
      { rewrite S1. unfold outer. simpl. destruct (Z_lt_dec p r).
        - rewrite Z.add_0_r, Nat2Z.id. ring.
        - replace (Z.to_nat (Z.of_nat G + 1)) with (S G) by lia. simpl. ring. }
      rewrite X. unfold k. fold e.
      rewrite Z2Nat.inj_add by lia. rewrite !pow_add.
      assert (Y : b ^ Z.to_nat (Z.max e 0) * b ^ Z.to_nat (Z.max (- e) 0) = b ^ Z.to_nat (Z.abs e)).
      { rewrite <- pow_add. f_equal. lia. }
      rewrite <- Y. rewrite Rpow_mult_distr. ring. }
    assert (B2 : Rabs (b * b) < 1) by (rewrite Rabs_right; nra).
    pose proof (GP_infinite (b * b) B2) as GP.
    intros eps He.
    set (C := b ^ Z.to_nat (k t (lev Q r j))) in *.
    assert (C0 : 0 < C) by (apply pow_lt; lra).
    destruct (GP (eps / C)) as [N HN]; [apply Rdiv_lt_0_compat; lra|].
    exists N. intros n Hn. specialize (HN n Hn).
    replace (sum_f_R0 (fun n0 => chance (nth m G p e n0)) n)
      with (C * sum_f_R0 (fun n0 => 1 * (b * b) ^ n0) n).
    + unfold R_dist in *.
      replace (C * sum_f_R0 (fun n0 => 1 * (b * b) ^ n0) n - C / (1 - b * b)) with
        (C * (sum_f_R0 (fun n0 => 1 * (b * b) ^ n0) n - / (1 - b * b))) by (unfold Rdiv; ring).
      rewrite Rabs_mult, (Rabs_right C) by lra.
      apply (Rmult_lt_compat_l C) in HN; [|lra].
      replace (C * (eps / C)) with eps in HN by (field; lra). exact HN.
    + rewrite scal_sum. apply sum_eq. intros i _. rewrite K. ring.
Qed.

(* inner places are proposed 2^k times as often as outer ones, which are kept with probability 2^k b:
   each inner place has 2^k names below 2^k r *)
Theorem names_of_inner : forall times q, (0 < times)%Z -> (0 <= q < r)%Z -> forall place,
  (0 <= place < r * times /\ place mod r = q)%Z <-> exists i, (0 <= i < times /\ place = r * i + q)%Z.
Proof.
  intros times q Ht Hq place. split.
  - intros [P E]. exists (place / r)%Z.
    pose proof (Z.div_mod place r ltac:(lia)) as D. split; [|lia].
    split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; lia.
  - intros (i & I & ->). split; [nia|].
    rewrite Z.mul_comm, Z.add_comm, Z.mod_add by lia. apply Z.mod_small. lia.
Qed.
End Sampler.

(* so the accepted candidates have the stated law, times one constant: what rejection draws is that law,
   since its mass is 1 (Mass.v) *)
Theorem sampler_draws_from_the_law : forall eps Q r, 0 < eps -> (1 <= r <= Q)%Z ->
  exists constant, 0 < constant /\ forall j t, exists list : nat -> candidate,
    (forall n, accepted Q (list n) /\ drawn_j Q (list n) = j /\ drawn_t r (list n) = t) /\
    (forall c, accepted Q c -> drawn_j Q c = j -> drawn_t r c = t -> exists n, c = list n) /\
    (forall n n', list n = list n' -> n = n') /\
    infinite_sum (fun n => chance r (b eps) (list n))
      (constant * weight eps (height eps Q r) Q r j t).
Proof.
  intros eps Q r He Hs. pose proof (b_range eps He) as B. pose proof (height_pos eps Q r He Hs) as H.
  assert (W : 0 < 1 - b eps * b eps) by nra.
  exists (/ (height eps Q r * (1 - b eps * b eps))). split.
  { apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra. }
  intros j t. destruct (sampler_law Q r (b eps) Hs B j t) as (list & A & C & I & S).
  exists list. split; [exact A|]. split; [exact C|]. split; [exact I|].
  replace (/ (height eps Q r * (1 - b eps * b eps)) * weight eps (height eps Q r) Q r j t)
    with (b eps ^ Z.to_nat (k t (lev Q r j)) / (1 - b eps * b eps)); [exact S|].
  pose proof (bpow_exp eps (k t (lev Q r j))) as P. unfold bpow in P.
  assert (K : (0 <= k t (lev Q r j))%Z) by (unfold k; lia).
  rewrite Z.abs_eq in P by exact K. rewrite P. unfold weight. field. split; lra.
Qed.
