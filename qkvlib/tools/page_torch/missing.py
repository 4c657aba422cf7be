"""What torch has and the page has not: to be able to say so by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import NotInThisPage

# By their home: a test holds this to torch.
_NAMES = {
    "torch": """
        AVG AcceleratorError AggregationType AliasDb AnyType Argument ArgumentSpec AwaitType
        BFloat16Storage BFloat16Tensor BenchmarkConfig BenchmarkExecutionStats Block BoolStorage
        BoolTensor BoolType BufferDict ByteStorage ByteTensor CallStack Capsule CharStorage
        CharTensor ClassType Code CompilationUnit CompleteArgumentSpec ComplexDoubleStorage
        ComplexFloatStorage ComplexType ConcreteModuleType ConcreteModuleTypeBuilder
        DeepCopyMemoTable DeserializationStorageContext DeviceObjType DictType
        DisableTorchFunction DisableTorchFunctionSubclass DispatchKey DispatchKeySet
        DoubleStorage DoubleTensor EnumType ErrorReport Event ExcludeDispatchKeyGuard
        ExecutionPlan FatalError FileCheck FloatStorage FloatTensor FloatType FunctionSchema
        Future FutureType GradScaler Gradient Graph GraphExecutorState HalfStorage HalfTensor
        IODescriptor InferredType IntStorage IntTensor IntType InterfaceType JITException
        ListType LiteScriptModule LockingLogger LoggerBase LongStorage LongTensor ModuleDict
        Node NoneType NoopLogger NumberType OperatorInfo OptionalType OutOfMemoryError
        PRIVATE_OPS ParameterDict PyObjectType PyTorchFileReader PyTorchFileWriter QInt32Storage
        QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage RRefType SUM ScriptClass
        ScriptClassFunction ScriptDict ScriptDictIterator ScriptDictKeyIterator ScriptFunction
        ScriptList ScriptListIterator ScriptMethod ScriptModule ScriptModuleSerializer
        ScriptObject ScriptObjectProperty SerializationStorageContext ShortStorage ShortTensor
        StaticModule Storage StorageBase Stream StreamObjType StringType SymBool SymBoolType
        SymFloat SymInt SymIntType TYPE_CHECKING Tag TensorType ThroughputBenchmark TracingState
        TupleType Type TypedStorage USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH UnionType
        UntypedStorage Use Value abs_ accelerator acos_ acosh_ adaptive_avg_pool1d
        adaptive_max_pool1d addbmm addmv_ affine_grid_generator alias_copy alpha_dropout
        alpha_dropout_ amp ao arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_
        are_deterministic_algorithms_enabled as_strided_ as_strided_copy as_strided_scatter
        asarray asin_ asinh_ atan_ atanh_ atleast_3d autocast autocast_decrement_nesting
        autocast_increment_nesting avg_pool1d backends bartlett_window batch_norm
        batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt
        batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
        batch_norm_update_stats bilinear binary_cross_entropy_with_logits binomial bit bits16
        bits1x8 bits2x4 bits4x2 bits8 blackman_window ccol_indices_copy ceil_ celu celu_ chalf
        channel_shuffle channels_last channels_last_3d cholesky cholesky_inverse cholesky_solve
        choose_qparams_optimized clamp_ clamp_max_ clamp_min_ classes classproperty
        clear_autocast_cache clip_ col_indices_copy compile compiled_with_cxx11_abi compiler
        complex32 cond conj_physical_ constant_pad_nd contrib conv1d conv2d conv3d conv_tbc
        conv_transpose1d conv_transpose2d conv_transpose3d convolution corrcoef cos_ cosh_
        cosine_embedding_loss cosine_similarity cov cpp cpu crow_indices_copy ctc_loss cuda
        cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
        cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
        cudnn_grid_sampler cudnn_is_acceptable cumulative_trapezoid deg2rad_ dequantize det
        detach detach_ detach_copy diagonal_copy diagonal_scatter distributed dropout_ dsmm
        dsplit eig embedding embedding_bag embedding_renorm_ empty_permuted empty_quantized erf_
        erfc_ exp2_ exp_ expand_copy expm1_ export fake_quantize_per_channel_affine
        fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight
        fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
        fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
        fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix feature_alpha_dropout
        feature_alpha_dropout_ feature_dropout feature_dropout_ fft fill fill_ fix_
        float4_e2m1fn_x2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
        float8_e8m0fnu float_power floor_ fork frac_ frexp frobenius_norm from_dlpack from_file
        from_numpy frombuffer functional fused_moving_avg_obs_fake_quant futures fx gcd gcd_
        geqrf get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype
        get_autocast_ipu_dtype get_autocast_xla_dtype get_default_device
        get_deterministic_debug_mode get_device get_device_module get_file_path
        get_float32_matmul_precision get_num_interop_threads gradient grid_sampler
        grid_sampler_2d grid_sampler_3d group_norm gru gru_cell hamming_window hann_window
        hardshrink has_lapack has_mkl has_openmp has_spectral hash_tensor hinge_embedding_loss
        histogram histogramdd hsmm hsplit hspmm hub i0 i0_ igamma igammac import_ir_module
        import_ir_module_from_buffer index_put_ index_reduce indices_copy init_num_threads
        instance_norm int1 int2 int3 int4 int5 int6 int7 int_repr inverse
        is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
        is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled
        is_autocast_xla_enabled is_conj is_deterministic_algorithms_warn_only_enabled
        is_distributed is_inference is_inference_mode_enabled is_neg is_nonzero is_same_size
        is_signed is_storage is_vulkan_available is_warn_always_enabled isreal istft jagged jit
        kaiser_window kl_div layer_norm layout lcm lcm_ ldexp ldexp_ legacy_contiguous_format
        library load lobpcg log10_ log1p_ log2_ log_ logaddexp2 logdet logit_ lstm lstm_cell
        lstsq lu lu_solve lu_unpack margin_ranking_loss masked matrix_exp matrix_rank max_pool1d
        max_pool1d_with_indices max_pool2d max_pool3d memory_format merge_type_from_type_comment
        miopen_batch_norm miopen_convolution miopen_convolution_add_relu miopen_convolution_relu
        miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn
        mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights
        mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer mode monitor mps mtia
        multiprocessing mvlgamma nan_to_num_ nanmedian nanquantile narrow_copy native_batch_norm
        native_channel_shuffle native_dropout native_group_norm native_layer_norm native_norm
        nativert neg_ negative_ nested nextafter nonzero_static norm_except_dim nuclear_norm
        numa onnx ops orgqr ormqr overrides package pairwise_distance parse_ir parse_schema
        parse_type_comment pca_lowrank pdist per_channel_affine per_channel_affine_float_qparams
        per_channel_symmetric per_tensor_affine per_tensor_symmetric permute_copy pinverse
        pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polygamma positive prelu
        prepare_multiprocessing_environment profiler
        profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 put q_per_channel_axis
        q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qint32 qint8 qr
        qscheme quantization quantize_per_channel quantize_per_tensor
        quantize_per_tensor_dynamic quantized_batch_norm quantized_gru quantized_gru_cell
        quantized_lstm quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d
        quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell quasirandom
        quint2x4 quint4x2 quint8 rad2deg rad2deg_ range reciprocal_ renorm resize_as_
        resize_as_sparse_ resolve_neg return_types rms_norm rnn_relu rnn_relu_cell rnn_tanh
        rnn_tanh_cell round_ row_indices_copy rrelu rrelu_ rsqrt_ rsub saddmm save
        scatter_reduce segment_reduce select_copy select_scatter selu selu_ serialization
        set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
        set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
        set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
        set_autocast_xla_enabled set_default_device set_default_tensor_type
        set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal
        set_num_interop_threads set_warn_always signal sin_ sinc sinc_ sinh_ slice_copy
        slice_inverse slice_scatter slogdet smm solve sparse sparse_bsc sparse_bsc_tensor
        sparse_bsr sparse_bsr_tensor sparse_compressed_tensor sparse_coo sparse_coo_tensor
        sparse_csc sparse_csc_tensor sparse_csr sparse_csr_tensor split_copy
        split_with_sizes_copy spmm sqrt_ square_ squeeze_copy sspaddmm stft storage svd
        svd_lowrank sym_constrain_range sym_constrain_range_for_size sym_float sym_fresh_size
        sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum symeig t_copy tan_ tanh_
        thread_safe_generator threshold threshold_ to_dlpack torch torch_version transpose_copy
        trapezoid trapz triangular_solve triplet_margin_loss trunc_ typename types uint1 uint16
        uint2 uint3 uint32 uint4 uint5 uint6 uint64 uint7 unbind_copy unfold_copy
        unify_type_list unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes
        unsqueeze_copy utils values_copy vander version view_as_complex_copy view_as_real_copy
        view_copy vsplit wait while_loop windows xlogy_ xpu zero_
    """,
    "torch.nn": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss
        AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d
        AvgPool3d BatchNorm1d BatchNorm2d BatchNorm3d Bilinear Buffer CELU CTCLoss
        ChannelShuffle CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d
        ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d
        ConvTranspose3d CosineEmbeddingLoss CrossMapLRN2d DataParallel Dropout1d Dropout2d
        Dropout3d EmbeddingBag FeatureAlphaDropout Fold FractionalMaxPool2d FractionalMaxPool3d
        GRU GRUCell GaussianNLLLoss GroupNorm Hardshrink Hardsigmoid Hardswish
        HingeEmbeddingLoss InstanceNorm1d InstanceNorm2d InstanceNorm3d LPPool1d LPPool2d
        LPPool3d LSTM LSTMCell LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d
        LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
        LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear
        LinearCrossEntropyLoss LinearCrossEntropyOptions LocalResponseNorm MarginRankingLoss
        MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d MultiLabelMarginLoss
        MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss2d PReLU PairwiseDistance ParameterDict
        PixelShuffle PixelUnshuffle PoissonNLLLoss RNN RNNBase RNNCell RNNCellBase RReLU
        ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
        ReplicationPad3d SELU SoftMarginLoss Softmax2d Softmin Softshrink Softsign SyncBatchNorm
        Tanhshrink Threshold Transformer TransformerDecoder TransformerDecoderLayer
        TransformerEncoder TransformerEncoderLayer TripletMarginLoss
        TripletMarginWithDistanceLoss Unfold UninitializedBuffer UninitializedParameter Upsample
        UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d attention
        backends common_types cpp factory_kwargs grad intrinsic parallel qat quantizable
        quantized
    """,
    "torch.nn.functional": """
        BroadcastingList1 BroadcastingList2 BroadcastingList3 GRID_SAMPLE_INTERPOLATION_MODES
        GRID_SAMPLE_PADDING_MODES ScalingType SwizzleType TYPE_CHECKING adaptive_avg_pool1d
        adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices
        adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid alpha_dropout
        assert_int_or_pair avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear boolean_dispatch
        celu celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
        conv_transpose2d conv_transpose3d cosine_embedding_loss ctc_loss dropout1d dropout2d
        dropout3d elu_ embedding_bag feature_alpha_dropout fold fractional_max_pool2d
        fractional_max_pool2d_with_indices fractional_max_pool3d
        fractional_max_pool3d_with_indices gaussian_nll_loss grad grid_sample group_norm
        grouped_mm gumbel_softmax handle_torch_function hardshrink hardsigmoid hardswish
        hardtanh_ has_torch_function has_torch_function_unary has_torch_function_variadic
        hinge_embedding_loss instance_norm interpolate leaky_relu_ linear_cross_entropy
        local_response_norm lp_pool1d lp_pool2d lp_pool3d margin_ranking_loss max_pool1d
        max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d
        max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d multi_margin_loss
        multilabel_margin_loss multilabel_soft_margin_loss native_channel_shuffle pdist
        pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu_ reproducibility_notes rrelu
        rrelu_ scaled_grouped_mm scaled_mm selu selu_ soft_margin_loss softshrink softsign
        sparse_support_notes tanhshrink tf32_notes threshold threshold_ torch
        triplet_margin_loss triplet_margin_with_distance_loss unfold upsample upsample_bilinear
        upsample_nearest
    """,
    "torch.nn.init": """
        constant dirac dirac_ eye kaiming_normal kaiming_uniform normal orthogonal orthogonal_
        sparse sparse_ torch trunc_normal_ uniform xavier_normal xavier_uniform
    """,
    "torch.nn.utils": """
        clip_grad clip_grad_norm clip_grads_with_norm_ convert_conv2d_weight_memory_format
        convert_conv3d_weight_memory_format convert_parameters fuse_conv_bn_eval
        fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights fusion get_total_norm
        init memory_format parametrizations parametrize prune remove_spectral_norm
        remove_weight_norm rnn skip_init spectral_norm stateless weight_norm
    """,
    "torch.nn.Module": """
        T_destination bfloat16 call_super_init compile cuda dump_patches get_buffer
        get_extra_state half ipu mtia register_backward_hook register_full_backward_hook
        register_full_backward_pre_hook register_load_state_dict_post_hook
        register_load_state_dict_pre_hook register_state_dict_post_hook
        register_state_dict_pre_hook set_extra_state set_submodule share_memory to_empty type
        xpu
    """,
    "torch.optim": """
        ASGD Adadelta Adafactor Adagrad Adamax LBFGS Muon NAdam RAdam RMSprop Rprop SparseAdam
        adadelta adagrad adam adamax adamw asgd lbfgs nadam optimizer radam rmsprop rprop sgd
        sparse_adam swa_utils swap_in_optimizer_params_and_state
    """,
    "torch.optim.lr_scheduler": """
        ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR
        EPOCH_DEPRECATION_WARNING ExponentialLR LRScheduler LinearLR MultiStepLR
        MultiplicativeLR OneCycleLR Optimizer PolynomialLR ReduceLROnPlateau SequentialLR StepLR
        TYPE_CHECKING Tensor inf
    """,
    "torch.linalg": """
        LinAlgError cholesky cholesky_ex common_notes cond diagonal eig eigh eigvals eigvalsh
        householder_product inv_ex ldl_factor ldl_factor_ex ldl_solve lu lu_factor lu_factor_ex
        lu_solve matrix_exp multi_dot slogdet solve_ex solve_triangular tensorinv tensorsolve
        vander vecdot
    """,
    "torch.special": """
        airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t
        chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w common_args digamma
        erfcx gammainc gammaincc hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e
        laguerre_polynomial_l legendre_polynomial_p log_ndtr logit modified_bessel_i0
        modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multi_dim_common multigammaln
        ndtr ndtri polygamma psi round scaled_modified_bessel_k0 scaled_modified_bessel_k1
        shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
        shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w sinc spherical_bessel_j0
        torch xlog1py zeta
    """,
    "torch.autograd": """
        DeviceType NestedIOFunction ProfilerActivity ProfilerConfig ProfilerEvent ProfilerState
        SavedTensor Variable anomaly_mode detect_anomaly enforce_grad_layout_policy forward_ad
        function functional grad_mode gradcheck gradgradcheck graph handle_torch_function
        has_torch_function is_multithreading_enabled is_tensor_like is_view_replay_enabled
        kineto_available profiler profiler_legacy profiler_util set_multithreading_enabled torch
        variable
    """,
    "torch.func": """
        debug_unwrap functional_call functionalize grad_and_value hessian jacfwd jacrev jvp
        linearize rearrange replace_all_batch_norm_modules_ stack_module_state vjp
    """,
    "torch.distributions": """
        AbsTransform AffineTransform Bernoulli Beta Binomial CatTransform Cauchy Chi2
        ComposeTransform ContinuousBernoulli CorrCholeskyTransform
        CumulativeDistributionTransform Dirichlet Distribution ExpTransform Exponential
        ExponentialFamily FisherSnedecor Gamma GeneralizedPareto Geometric Gumbel HalfCauchy
        HalfNormal Independent IndependentTransform InverseGamma Kumaraswamy LKJCholesky Laplace
        LogNormal LogisticNormal LowRankMultivariateNormal LowerCholeskyTransform
        MixtureSameFamily Multinomial MultivariateNormal NegativeBinomial Normal
        OneHotCategorical OneHotCategoricalStraightThrough Pareto Poisson
        PositiveDefiniteTransform PowerTransform RelaxedBernoulli RelaxedOneHotCategorical
        ReshapeTransform SigmoidTransform SoftmaxTransform SoftplusTransform StackTransform
        StickBreakingTransform StudentT TanhTransform Transform TransformedDistribution Uniform
        VonMises Weibull Wishart bernoulli beta biject_to binomial categorical cauchy chi2
        constraint_registry constraints continuous_bernoulli dirichlet distribution exp_family
        exponential fishersnedecor gamma generalized_pareto geometric gumbel half_cauchy
        half_normal identity_transform independent inverse_gamma kl kl_divergence kumaraswamy
        laplace lkj_cholesky log_normal logistic_normal lowrank_multivariate_normal
        mixture_same_family multivariate_normal negative_binomial normal one_hot_categorical
        pareto poisson register_kl relaxed_bernoulli relaxed_categorical studentT transform_to
        transformed_distribution transforms uniform utils von_mises weibull wishart
    """,
    "torch.testing": """
        FileCheck assert_allclose make_tensor
    """,
    "torch.random": """
        TYPE_CHECKING thread_safe_generator torch
    """,
    "torch.Tensor": """
        addbmm addbmm_ addmv_ addr_ apply_ as_strided_ as_strided_scatter baddbmm_ bitwise_not_
        cauchy_ ccol_indices chalf cholesky cholesky_inverse cholesky_solve coalesce col_indices
        conj_physical_ const_data_ptr corrcoef cov crow_indices cumprod_ deg2rad_ dense_dim
        dequantize det diagonal_scatter dim_order dsplit eig eq_ fill_diagonal_ float_power
        float_power_ frexp gcd gcd_ ge_ geometric_ geqrf grad_dtype greater_ greater_equal_ gt_
        hardshrink hash_tensor histogram hsplit i0 i0_ igamma igamma_ igammac igammac_ index
        index_reduce index_reduce_ indices int_repr inverse ipu is_coalesced is_cpu
        is_distributed is_inference is_ipu is_maia is_mkldnn is_mtia is_nonzero is_pinned
        is_same_size is_set_to is_shared is_sparse_csr is_vulkan is_xla is_xpu isreal istft lcm
        lcm_ ldexp ldexp_ le_ less_ less_equal_ log_normal_ logaddexp2 logdet logical_and_
        logical_not_ logical_or_ logical_xor_ logit_ lstsq lt_ lu lu_solve map2_ map_ matrix_exp
        mode module_load mtia mvlgamma mvlgamma_ name nanmedian nanquantile narrow_copy ne_ new
        new_empty_strided nextafter nextafter_ nonzero_static not_equal_ orgqr ormqr pinverse
        polygamma polygamma_ positive prelu put put_ q_per_channel_axis q_per_channel_scales
        q_per_channel_zero_points q_scale q_zero_point qr qscheme rad2deg rad2deg_ record_stream
        register_post_accumulate_grad_hook reinforce renorm renorm_ resize resize_ resize_as
        resize_as_ resize_as_sparse_ round_ row_indices scatter_reduce scatter_reduce_
        select_scatter set_ sinc sinc_ slice_inverse slice_scatter slogdet smm solve sparse_dim
        sparse_mask sparse_resize_ sparse_resize_and_clear_ sspaddmm stft storage storage_type
        sum_to_size svd swapaxes_ swapdims_ symeig to_mkldnn to_padded_tensor to_sparse
        to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr triangular_solve
        unsafe_chunk unsafe_split unsafe_split_with_sizes values volatile vsplit xlogy_ xpu
    """,
}
_MISSING = {home: frozenset(names.split()) for home, names in _NAMES.items()}


def who_has(module: str) -> Callable[[str], Any]:
    """What a module answers to a name that it has not: whether torch has it, or nobody."""

    def asked(name: str) -> Any:
        if name in _MISSING[module]:
            raise NotInThisPage(f"`{module}.{name}`")
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return asked


def no_attribute(thing: Any, name: str, home: str) -> AttributeError:
    """The same of a tensor, or of a module of a model."""
    if name in _MISSING[home]:
        return NotInThisPage(f"`{home.rpartition('.')[2]}.{name}`")
    return AttributeError(f"'{type(thing).__name__}' object has no attribute '{name}'")
