(* KSW-D5: the law of the discrete hourglass has mass 1, so that `prob` of Release.v is a probability.
   In the coordinates (j, t - s), s the level of j, a box of levels up to N is a product of two sums. *)
Require Import Reals ZArith Lia Lra Psatz List FinFun.
From Touchstone Require Import KSW_D5 Release.
Import ListNotations.
Open Scope R_scope.

(* lists without repetition *)
Lemma NoDup_join : forall (A : Type) (l m : list A), NoDup l -> NoDup m ->
  (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction l as [|a l IH]; intros m Hl Hm D; simpl; [exact Hm|].
  inversion Hl; subst. constructor.
  - rewrite in_app_iff. intros [H|H]; [tauto|]. apply (D a); simpl; auto.
  - apply IH; auto. intros x Hx. apply D. simpl; auto.
Qed.
Lemma NoDup_image : forall (A B : Type) (f : A -> B) l, (forall x y, f x = f y -> x = y) ->
  NoDup l -> NoDup (map f l).
Proof. intros. apply Injective_map_NoDup; assumption. Qed.
Lemma NoDup_pairs : forall (A B : Type) (f : A -> list B) l, NoDup l -> (forall a, NoDup (f a)) ->
  (forall a b x, In x (f a) -> In x (f b) -> a = b) -> NoDup (flat_map f l).
Proof.
  induction l as [|a l IH]; intros Hl Hf D; simpl; [constructor|].
  inversion Hl; subst. apply NoDup_join; auto.
  intros x Hx H. apply in_flat_map in H. destruct H as (b & Hb & H).
  assert (a = b) by (eapply D; eauto). subst. contradiction.
Qed.

(* sums over lists *)
Section Sums.
Context {T : Type}.
Definition sum (w : T -> R) (l : list T) : R := fold_right (fun o s => w o + s) 0 l.
Lemma sum_app : forall w l m, sum w (l ++ m) = sum w l + sum w m.
Proof. induction l; intros; simpl; [lra|]. rewrite IHl. lra. Qed.
Lemma sum_const : forall w c l, (forall x, In x l -> w x = c) -> sum w l = INR (length l) * c.
Proof.
  induction l as [|a l IH]; intros H; [simpl; lra|].
  change (sum w (a :: l)) with (w a + sum w l). change (length (a :: l)) with (S (length l)).
  rewrite S_INR, IH, (H a); simpl; auto. lra. intros; apply H; simpl; auto.
Qed.
Lemma sum_incl : forall w l m, (forall x, 0 <= w x) -> NoDup l -> incl l m -> sum w l <= sum w m.
Proof.
  induction l as [|a l IH]; intros m P N I.
  - simpl. induction m; simpl; [lra|]. specialize (P a). assert (incl [] m) by (intros x []).
    specialize (IHm H). lra.
  - inversion N; subst. destruct (in_split a m) as (m1 & m2 & ->); [apply I; simpl; auto|].
    assert (J : incl l (m1 ++ m2)).
    { intros x Hx. assert (In x (m1 ++ a :: m2)) by (apply I; simpl; auto).
      rewrite in_app_iff in *. simpl in H. destruct H as [H|[H|H]]; auto. subst. contradiction. }
    specialize (IH _ P H2 J). rewrite sum_app in *. simpl. lra.
Qed.
End Sums.
Lemma sum_map : forall (S T : Type) (f : S -> T) w l, sum w (map f l) = sum (fun x => w (f x)) l.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.
Lemma sum_scale : forall (T : Type) (w v : T -> R) c l, (forall x, In x l -> w x = c * v x) ->
  sum w l = c * sum v l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [lra|]. rewrite IH, (H a); simpl; auto; [lra|].
  intros; apply H; simpl; auto.
Qed.
Lemma sum_pairs : forall (S T : Type) (f : S -> list T) w v l,
  (forall a, In a l -> sum w (f a) = v a) -> sum w (flat_map f l) = sum v l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [reflexivity|].
  rewrite sum_app, IH, (H a); simpl; auto. intros; apply H; simpl; auto.
Qed.

(* runs of whole numbers *)
Definition run (a n : Z) : list Z := map (fun i => (a + Z.of_nat i)%Z) (seq 0 (Z.to_nat n)).
Lemma in_run : forall a n x, (0 <= n)%Z -> In x (run a n) <-> (a <= x < a + n)%Z.
Proof.
  intros a n x Hn. unfold run. rewrite in_map_iff. split.
  - intros (i & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat (x - a)). split; [lia|]. apply in_seq. lia.
Qed.
Lemma NoDup_run : forall a n, NoDup (run a n).
Proof. intros. apply NoDup_image; [intros; lia|]. apply seq_NoDup. Qed.
Lemma length_run : forall a n, (0 <= n)%Z -> INR (length (run a n)) = IZR n.
Proof. intros. unfold run. rewrite map_length, seq_length, INR_IZR_INZ. f_equal. lia. Qed.

Section Hourglass.
Variables (eps : R) (Q r : Z).
Hypothesis eps_pos : 0 < eps.
Hypothesis shape : (1 <= r <= Q)%Z.
Definition b := exp (- eps).
Definition height := (1 - b) / (1 + b) / (2 * IZR r - 1 + 2 * IZR Q * b / (1 - b)).

Lemma b_range : 0 < b < 1.
Proof.
  unfold b. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra.
Qed.
Lemma shape_R : 1 <= IZR r <= IZR Q.
Proof. destruct shape. split; apply IZR_le; assumption. Qed.
Lemma points_pos : 0 < 2 * IZR r - 1 + 2 * IZR Q * b / (1 - b).
Proof.
  pose proof b_range. pose proof shape_R.
  assert (0 < 2 * IZR Q * b / (1 - b)) by (apply Rdiv_lt_0_compat; nra). lra.
Qed.
Lemma height_pos : 0 < height.
Proof.
  pose proof b_range. pose proof points_pos. unfold height.
  repeat apply Rdiv_lt_0_compat; lra.
Qed.

(* powers of b with whole exponents, and the pmf in the coordinates (s, t - s) *)
Definition bpow (s : Z) : R := b ^ Z.to_nat (Z.abs s).
Lemma bpow_exp : forall s, bpow s = exp (- eps * IZR (Z.abs s)).
Proof.
  intros s. unfold bpow, b. rewrite <- (Z2Nat.id (Z.abs s)) at 2 by lia.
  rewrite <- INR_IZR_INZ. generalize (Z.to_nat (Z.abs s)). induction n; simpl pow.
  - simpl. rewrite Rmult_0_r, exp_0. reflexivity.
  - rewrite IHn, <- exp_plus. f_equal. rewrite S_INR. lra.
Qed.
Lemma weight_factors : forall j d,
  weight eps height Q r j (lev Q r j + d) = height * (bpow (lev Q r j) * bpow d).
Proof.
  intros. unfold weight. f_equal. rewrite !bpow_exp, <- exp_plus. f_equal.
  unfold k. replace (lev Q r j + d - lev Q r j)%Z with d by lia. rewrite plus_IZR. lra.
Qed.

(* the points of levels up to N *)
Fixpoint points (N : nat) : list Z := match N with
  | O => run (1 - r) (2 * r - 1)
  | S M => let first := run (Z.of_nat M * Q + r) Q in points M ++ first ++ map Z.opp first
  end.
Lemma points_S : forall M, points (S M) = points M ++ run (Z.of_nat M * Q + r) Q
  ++ map Z.opp (run (Z.of_nat M * Q + r) Q).
Proof. reflexivity. Qed.
Lemma in_points : forall N j, In j (points N) <-> (Z.abs j < Z.of_nat N * Q + r)%Z.
Proof.
  induction N as [|N IH]; intros j.
  - change (points 0) with (run (1 - r) (2 * r - 1)). rewrite in_run by lia. change (Z.of_nat 0 * Q)%Z with 0%Z. lia.
  - rewrite points_S, !in_app_iff, IH, in_map_iff. rewrite in_run by lia.
    replace (Z.of_nat (S N) * Q)%Z with (Z.of_nat N * Q + Q)%Z by lia.
    assert (0 <= Z.of_nat N * Q)%Z by nia. split.
    + intros [H1|[H1|(x & <- & H1)]]; [lia|lia|]. rewrite in_run in H1 by lia. lia.
    + intros H1. destruct (Z_lt_le_dec (Z.abs j) (Z.of_nat N * Q + r)); [left; lia|right].
      destruct (Z_lt_le_dec j 0); [right|left; lia]. exists (- j)%Z. split; [lia|].
      rewrite in_run by lia. lia.
Qed.
Lemma NoDup_points : forall N, NoDup (points N).
Proof.
  induction N as [|N IH]; [exact (NoDup_run _ _)|]. rewrite points_S.
  assert (0 <= Z.of_nat N * Q)%Z by nia.
  apply NoDup_join; [exact IH| |].
  - apply NoDup_join; [apply NoDup_run|apply NoDup_image; [lia|apply NoDup_run]|].
    intros x Hx H1. rewrite in_map_iff in H1. destruct H1 as (y & <- & Hy).
    rewrite in_run in * by lia. lia.
  - intros x Hx H1. apply in_points in Hx. rewrite in_app_iff, in_map_iff in H1.
    destruct H1 as [H1|(y & <- & H1)]; rewrite in_run in H1 by lia; lia.
Qed.
Lemma level_of_shell : forall N j, (Z.of_nat N * Q + r <= Z.abs j < Z.of_nat N * Q + r + Q)%Z ->
  Z.abs (lev Q r j) = Z.of_nat (S N).
Proof.
  intros N j H. unfold lev.
  assert (E : ((Z.abs j + Q - r) / Q = Z.of_nat N + 1)%Z).
  { symmetry. apply (Z.div_unique _ Q _ (Z.abs j - r - Z.of_nat N * Q)); lia. }
  rewrite E. assert (0 <= Z.of_nat N * Q)%Z by nia. lia.
Qed.
Lemma level_of_center : forall j, (Z.abs j < r)%Z -> lev Q r j = 0%Z.
Proof. intros j H. unfold lev. rewrite Z.div_small by lia. lia. Qed.

Definition geometric (N : nat) : R := b * (1 - b ^ N) / (1 - b).
Lemma geometric_S : forall N, geometric (S N) = geometric N + b ^ S N.
Proof. intros. pose proof b_range. unfold geometric. simpl pow. field. lra. Qed.

Lemma sum_points : forall N,
  sum (fun j => bpow (lev Q r j)) (points N) = 2 * IZR r - 1 + 2 * IZR Q * geometric N.
Proof.
  pose proof b_range as B.
  induction N as [|N IH].
  - change (points 0) with (run (1 - r) (2 * r - 1)). rewrite (sum_const _ 1).
    + rewrite length_run by lia. rewrite minus_IZR, mult_IZR. unfold geometric. simpl. field. lra.
    + intros x Hx. rewrite in_run in Hx by lia. rewrite level_of_center by lia. reflexivity.
  - rewrite points_S, !sum_app, IH, sum_map, geometric_S.
    assert (0 <= Z.of_nat N * Q)%Z by nia.
    rewrite (sum_const (fun j => bpow (lev Q r j)) (b ^ S N)).
    rewrite (sum_const (fun x => bpow (lev Q r (- x))) (b ^ S N)).
    + rewrite length_run by lia. lra.
    + intros x Hx. rewrite in_run in Hx by lia. unfold bpow.
      rewrite (level_of_shell N) by lia. rewrite Nat2Z.id. reflexivity.
    + intros x Hx. rewrite in_run in Hx by lia. unfold bpow.
      rewrite (level_of_shell N) by lia. rewrite Nat2Z.id. reflexivity.
Qed.

Fixpoint gaps (N : nat) : list Z := match N with
  | O => [0%Z]
  | S M => gaps M ++ [Z.of_nat (S M); (- Z.of_nat (S M))%Z]
  end.
Lemma in_gaps : forall N d, In d (gaps N) <-> (Z.abs d <= Z.of_nat N)%Z.
Proof.
  induction N as [|N IH]; intros d.
  - simpl. lia.
  - change (gaps (S N)) with (gaps N ++ [Z.of_nat (S N); (- Z.of_nat (S N))%Z]).
    rewrite in_app_iff, IH. simpl In. lia.
Qed.
Lemma NoDup_gaps : forall N, NoDup (gaps N).
Proof.
  induction N as [|N IH].
  - simpl. constructor; [simpl; tauto|constructor].
  - change (gaps (S N)) with (gaps N ++ [Z.of_nat (S N); (- Z.of_nat (S N))%Z]).
    apply NoDup_join; [exact IH| |].
    + constructor; [simpl; lia|]. constructor; [simpl; tauto|constructor].
    + intros x Hx. apply in_gaps in Hx. simpl. lia.
Qed.
Lemma sum_gaps : forall N, sum bpow (gaps N) = 1 + 2 * geometric N.
Proof.
  pose proof b_range as B.
  induction N as [|N IH].
  - simpl. unfold geometric, bpow. simpl. field. lra.
  - change (gaps (S N)) with (gaps N ++ [Z.of_nat (S N); (- Z.of_nat (S N))%Z]).
    assert (T : forall x y, sum bpow [x; y] = bpow x + bpow y) by (intros; simpl; lra).
    rewrite sum_app, IH, geometric_S, T. unfold bpow.
    rewrite Z.abs_opp, Z.abs_eq, Nat2Z.id by lia. lra.
Qed.

(* the box of levels and gaps up to N, as noisy pairs of data with total u and size v *)
Definition box (u v : Z) (N : nat) : list (Z * Z) :=
  flat_map (fun j => map (fun d => (u + j, v + (lev Q r j + d))%Z) (gaps N)) (points N).
Lemma NoDup_box : forall u v N, NoDup (box u v N).
Proof.
  intros. apply NoDup_pairs; [apply NoDup_points| |].
  - intros j. apply NoDup_image; [|apply NoDup_gaps]. intros x y E. inversion E. lia.
  - intros j j' x H H'. apply in_map_iff in H, H'.
    destruct H as (d & <- & _), H' as (d' & E & _). inversion E. lia.
Qed.
Definition reach (u v : Z) (o : Z * Z) : Z :=
  (Z.abs (fst o - u) + Z.abs (snd o - v - lev Q r (fst o - u)))%Z.
Definition reaches (u v : Z) (E : list (Z * Z)) : Z :=
  fold_right (fun o s => (reach u v o + s)%Z) 0%Z E.
Lemma reach_pos : forall u v o, (0 <= reach u v o)%Z.
Proof. intros. unfold reach. lia. Qed.
Lemma reaches_pos : forall u v E, (0 <= reaches u v E)%Z.
Proof.
  induction E as [|o E IH]; [apply Z.le_refl|].
  change (0 <= reach u v o + reaches u v E)%Z. pose proof (reach_pos u v o). lia.
Qed.
Lemma reach_le : forall u v E o, In o E -> (reach u v o <= reaches u v E)%Z.
Proof.
  induction E as [|a E IH]; [simpl; tauto|]. intros o H.
  change (reach u v o <= reach u v a + reaches u v E)%Z.
  pose proof (reach_pos u v a). pose proof (reaches_pos u v E).
  destruct H as [->|H]; [lia|]. specialize (IH o H). lia.
Qed.
Lemma box_covers : forall u v (E : list (Z * Z)), exists N, incl E (box u v N).
Proof.
  intros u v E. exists (Z.to_nat (reaches u v E)).
  intros [y z] H. apply reach_le with (u := u) (v := v) in H.
  pose proof (reaches_pos u v E) as P. unfold reach in H. simpl fst in H. simpl snd in H.
  unfold box. apply in_flat_map. exists (y - u)%Z. split.
  - apply in_points. rewrite Z2Nat.id by assumption. nia.
  - apply in_map_iff. exists (z - v - lev Q r (y - u))%Z. split; [f_equal; lia|].
    apply in_gaps. rewrite Z2Nat.id by assumption. lia.
Qed.

Definition mass_of_box (N : nat) : R :=
  height * ((2 * IZR r - 1 + 2 * IZR Q * geometric N) * (1 + 2 * geometric N)).
Lemma mass_box : forall D N,
  mass eps height Q r D (box (total D) (size D) N) = mass_of_box N.
Proof.
  intros D N. unfold mass_of_box.
  change (mass eps height Q r D) with (sum (law eps height Q r D)). unfold box.
  rewrite (sum_pairs _ _ _ _ (fun j => (height * (1 + 2 * geometric N)) * bpow (lev Q r j))).
  - rewrite (sum_scale _ _ (fun j => bpow (lev Q r j)) (height * (1 + 2 * geometric N)));
      [|reflexivity]. rewrite sum_points. ring.
  - intros j _. rewrite sum_map. rewrite (sum_scale _ _ bpow (height * bpow (lev Q r j))).
    + rewrite sum_gaps. ring.
    + intros d _. unfold law. simpl fst. simpl snd.
      replace (total D + j - total D)%Z with j by lia.
      replace (size D + (lev Q r j + d) - size D)%Z with (lev Q r j + d)%Z by lia.
      rewrite weight_factors. ring.
Qed.

(* 1 less what is missing of the two geometric series *)
Definition lacking := height * (2 * IZR Q * (1 + b) + 2 * (2 * IZR r - 1 + 2 * IZR Q * b / (1 - b))
  * (1 - b)) * b / ((1 - b) * (1 - b)).
Lemma mass_of_box_bounds : forall N, 1 - lacking * b ^ N <= mass_of_box N <= 1.
Proof.
  intros N. pose proof b_range as B. pose proof points_pos as P. pose proof height_pos as H.
  pose proof shape_R as [S1 S2].
  set (X := 2 * IZR r - 1 + 2 * IZR Q * b / (1 - b)) in *.
  assert (P0 : 0 <= b ^ N) by (apply pow_le; lra).
  assert (P1 : b ^ N <= 1) by (rewrite <- (pow1 N); apply pow_incr; lra).
  set (p := b ^ N) in *.
  assert (G : geometric N = b / (1 - b) - b / (1 - b) * p)
    by (unfold geometric; fold p; field; lra).
  set (g := b / (1 - b)) in *. assert (g0 : 0 < g) by (apply Rdiv_lt_0_compat; lra).
  assert (E : height * (X * (1 + 2 * g)) = 1).
  { unfold height. fold X. unfold g. field. split; lra. }
  assert (EX : X = 2 * IZR r - 1 + 2 * IZR Q * g) by (unfold X, g; field; lra).
  assert (L : lacking = height * (2 * IZR Q * g * (1 + 2 * g) + 2 * g * X)).
  { unfold lacking. fold X. unfold g. field. lra. }
  unfold mass_of_box. rewrite G, L.
  replace (2 * IZR r - 1 + 2 * IZR Q * (g - g * p)) with (X - 2 * IZR Q * g * p) by (rewrite EX; ring).
  replace (1 + 2 * (g - g * p)) with (1 + 2 * g - 2 * g * p) by ring.
  assert (Q0 : 0 <= IZR Q * g) by nra.
  assert (K : 0 <= height * (4 * (IZR Q * g) * g * (p * p))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|nra]. apply Rmult_le_pos; [lra|lra]. }
  assert (X2 : 2 * IZR Q * g <= X) by (rewrite EX; lra).
  split.
  - assert (height * ((X - 2 * IZR Q * g * p) * (1 + 2 * g - 2 * g * p)) =
      height * (X * (1 + 2 * g)) - height * (2 * IZR Q * g * (1 + 2 * g) + 2 * g * X) * p
      + height * (4 * (IZR Q * g) * g * (p * p))) by ring. lra.
  - rewrite <- E. apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_compat; nra.
Qed.

Theorem total_mass : forall D, prob eps height Q r D (fun _ => True) 1.
Proof.
  intros D. pose proof b_range as B. pose proof height_pos as H.
  assert (W : forall o, 0 <= law eps height Q r D o).
  { intros o. unfold law, weight. apply Rmult_le_pos; [lra|left; apply exp_pos]. }
  split.
  - intros s (E & N & _ & ->). destruct (box_covers (total D) (size D) E) as [M I].
    change (sum (law eps height Q r D) E <= 1).
    eapply Rle_trans; [apply (sum_incl _ _ _ W N I)|].
    change (mass eps height Q r D (box (total D) (size D) M) <= 1).
    rewrite mass_box. apply mass_of_box_bounds.
  - intros u U. destruct (Rle_lt_dec 1 u) as [|L]; [assumption|exfalso].
    assert (K : 0 < lacking).
    { pose proof points_pos as P. pose proof shape_R as [S1 S2]. unfold lacking.
      set (X := 2 * IZR r - 1 + 2 * IZR Q * b / (1 - b)) in *.
      assert (0 < (1 - b) * (1 - b)) by (apply Rmult_lt_0_compat; lra).
      assert (0 < IZR Q * (1 + b)) by (apply Rmult_lt_0_compat; lra).
      assert (0 < X * (1 - b)) by (apply Rmult_lt_0_compat; lra).
      apply Rdiv_lt_0_compat; [|assumption]. apply Rmult_lt_0_compat; [|lra].
      apply Rmult_lt_0_compat; lra. }
    destruct (pow_lt_1_zero b ltac:(rewrite Rabs_right; lra) ((1 - u) / lacking)) as [M HM].
    { apply Rdiv_lt_0_compat; lra. }
    specialize (HM M (le_n M)).
    rewrite Rabs_right in HM by (apply Rle_ge, pow_le; lra).
    assert (lacking * b ^ M < 1 - u).
    { apply (Rmult_lt_compat_l lacking) in HM; [|lra].
      replace (lacking * ((1 - u) / lacking)) with (1 - u) in HM by (field; lra). exact HM. }
    assert (mass_of_box M <= u).
    { apply U. exists (box (total D) (size D) M). split; [apply NoDup_box|]. split; [auto|].
      symmetry. apply mass_box. }
    pose proof (mass_of_box_bounds M). lra.
Qed.

(* so every set of outputs has a probability, from 0 to 1, and the release is private for it *)
Theorem every_set_has_a_probability : forall D (S : Z * Z -> Prop),
  exists p, prob eps height Q r D S p /\ 0 <= p <= 1.
Proof.
  intros D S. destruct (total_mass D) as [U _].
  assert (B : bound (fun s => exists E, NoDup E /\ (forall o, In o E -> S o)
    /\ s = mass eps height Q r D E)).
  { exists 1. intros s (E & N & _ & ->). apply U. exists E. auto. }
  destruct (completeness _ B) as [p P].
  { exists 0. exists []. repeat split; [constructor|intros o []]. }
  exists p. split; [exact P|]. destruct P as [P1 P2]. split.
  - apply P1. exists []. repeat split; [constructor|intros o []].
  - apply P2. intros s (E & N & _ & ->). apply U. exists E. auto.
Qed.
End Hourglass.
