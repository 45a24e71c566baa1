//! Which tables, fields and numbers does the .tflite format have?
//!
//! Written by scripts/gen_tflite_schema.py from the TensorFlow Lite schema (Apache License 2.0) as ai-edge-litert 2.3.0
//! carries it; change the script, not this file.

use super::descriptor::{Field, Kind::*, Refers, Table, UnionTable};

/// The table every file starts from.
pub static ROOT: &Table = &MODEL;

pub static CUSTOM_QUANTIZATION: Table = Table {
    name: "CustomQuantization",
    fields: &[Field::new("custom", Scalars { width: 1, align: 16 })],
};

pub static BLOCKWISE_QUANTIZATION: Table = Table {
    name: "BlockwiseQuantization",
    fields: &[
        Field::new("scales", Scalar(4)).refers(Refers::Tensor),
        Field::new("zero_points", Scalar(4)).refers(Refers::OptionalTensor),
        Field::new("block_size", Scalar(4)),
        Field::new("block_shape", Scalars { width: 4, align: 4 }),
    ],
};

pub static MULTI_AXIS_QUANTIZATION: Table = Table {
    name: "MultiAxisQuantization",
    fields: &[
        Field::new("scales", Scalar(4)).refers(Refers::Tensor),
        Field::new("zero_points", Scalar(4)).refers(Refers::OptionalTensor),
        Field::new("block_size", Scalar(4)),
        Field::new("quantized_dimensions", Scalars { width: 4, align: 4 }),
    ],
};

pub static QUANTIZATION_PARAMETERS: Table = Table {
    name: "QuantizationParameters",
    fields: &[
        Field::new("min", Scalars { width: 4, align: 4 }),
        Field::new("max", Scalars { width: 4, align: 4 }),
        Field::new("scale", Scalars { width: 4, align: 4 }),
        Field::new("zero_point", Scalars { width: 8, align: 8 }),
        Field::new("details_type", UnionType),
        Field::new("details", Union(&QUANTIZATION_DETAILS)),
        Field::new("quantized_dimension", Scalar(4)),
    ],
};

pub static INT32_VECTOR: Table = Table {
    name: "Int32Vector",
    fields: &[Field::new("values", Scalars { width: 4, align: 4 })],
};

pub static UINT16_VECTOR: Table = Table {
    name: "Uint16Vector",
    fields: &[Field::new("values", Scalars { width: 2, align: 4 })],
};

pub static UINT8_VECTOR: Table = Table {
    name: "Uint8Vector",
    fields: &[Field::new("values", Scalars { width: 1, align: 4 })],
};

pub static DIMENSION_METADATA: Table = Table {
    name: "DimensionMetadata",
    fields: &[
        Field::new("format", Scalar(1)),
        Field::new("dense_size", Scalar(4)),
        Field::new("array_segments_type", UnionType),
        Field::new("array_segments", Union(&SPARSE_INDEX_VECTOR)),
        Field::new("array_indices_type", UnionType),
        Field::new("array_indices", Union(&SPARSE_INDEX_VECTOR)),
    ],
};

pub static SPARSITY_PARAMETERS: Table = Table {
    name: "SparsityParameters",
    fields: &[
        Field::new("traversal_order", Scalars { width: 4, align: 4 }),
        Field::new("block_map", Scalars { width: 4, align: 4 }),
        Field::new("dim_metadata", Tables(&DIMENSION_METADATA)),
    ],
};

pub static VARIANT_SUB_TYPE: Table = Table {
    name: "VariantSubType",
    fields: &[
        Field::new("shape", Scalars { width: 4, align: 4 }),
        Field::new("type", Scalar(1)),
        Field::new("has_rank", Scalar(1)),
    ],
};

pub static TENSOR: Table = Table {
    name: "Tensor",
    fields: &[
        Field::new("shape", Scalars { width: 4, align: 4 }),
        Field::new("type", Scalar(1)),
        Field::new("buffer", Scalar(4)).refers(Refers::Buffer),
        Field::new("name", String),
        Field::new("quantization", Table(&QUANTIZATION_PARAMETERS)),
        Field::new("is_variable", Scalar(1)),
        Field::new("sparsity", Table(&SPARSITY_PARAMETERS)),
        Field::new("shape_signature", Scalars { width: 4, align: 4 }),
        Field::new("has_rank", Scalar(1)),
        Field::new("variant_tensors", Tables(&VARIANT_SUB_TYPE)),
        Field::new("external_buffer", Scalar(4)),
    ],
};

pub static STABLEHLO_GATHER_OPTIONS: Table = Table {
    name: "StablehloGatherOptions",
    fields: &[
        Field::new("offset_dims", Scalars { width: 8, align: 8 }),
        Field::new("collapsed_slice_dims", Scalars { width: 8, align: 8 }),
        Field::new("start_index_map", Scalars { width: 8, align: 8 }),
        Field::new("index_vector_dim", Scalar(8)),
        Field::new("slice_sizes", Scalars { width: 8, align: 8 }),
        Field::new("indices_are_sorted", Scalar(1)),
    ],
};

pub static STABLEHLO_TRANSPOSE_OPTIONS: Table = Table {
    name: "StablehloTransposeOptions",
    fields: &[Field::new("permutation", Scalars { width: 8, align: 8 })],
};

pub static STABLEHLO_DOT_GENERAL_OPTIONS: Table = Table {
    name: "StablehloDotGeneralOptions",
    fields: &[
        Field::new("lhs_batching_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("rhs_batching_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("lhs_contracting_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("rhs_contracting_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("precision_config", Scalars { width: 4, align: 4 }),
    ],
};

pub static STABLEHLO_REDUCE_WINDOW_OPTIONS: Table = Table {
    name: "StablehloReduceWindowOptions",
    fields: &[
        Field::new("window_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("window_strides", Scalars { width: 8, align: 8 }),
        Field::new("base_dilations", Scalars { width: 8, align: 8 }),
        Field::new("window_dilations", Scalars { width: 8, align: 8 }),
        Field::new("padding", Scalars { width: 8, align: 8 }),
        Field::new("body_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static STABLEHLO_WHILE_OPTIONS: Table = Table {
    name: "StablehloWhileOptions",
    fields: &[
        Field::new("cond_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
        Field::new("body_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static STABLEHLO_SORT_OPTIONS: Table = Table {
    name: "StablehloSortOptions",
    fields: &[
        Field::new("dimension", Scalar(8)),
        Field::new("is_stable", Scalar(1)),
        Field::new("comparator_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static STABLEHLO_CONCATENATE_OPTIONS: Table = Table {
    name: "StablehloConcatenateOptions",
    fields: &[Field::new("dimension", Scalar(8))],
};

pub static STABLEHLO_BROADCAST_IN_DIM_OPTIONS: Table = Table {
    name: "StablehloBroadcastInDimOptions",
    fields: &[Field::new("broadcast_dimensions", Scalars { width: 8, align: 8 })],
};

pub static STABLEHLO_COMPARE_OPTIONS: Table = Table {
    name: "StablehloCompareOptions",
    fields: &[
        Field::new("comparison_direction", Scalar(4)),
        Field::new("compare_type", Scalar(4)),
    ],
};

pub static STABLEHLO_DYNAMIC_SLICE_OPTIONS: Table = Table {
    name: "StablehloDynamicSliceOptions",
    fields: &[Field::new("slice_sizes", Scalars { width: 8, align: 8 })],
};

pub static STABLEHLO_PAD_OPTIONS: Table = Table {
    name: "StablehloPadOptions",
    fields: &[
        Field::new("edge_padding_low", Scalars { width: 8, align: 8 }),
        Field::new("edge_padding_high", Scalars { width: 8, align: 8 }),
        Field::new("interior_padding", Scalars { width: 8, align: 8 }),
    ],
};

pub static STABLEHLO_IOTA_OPTIONS: Table = Table {
    name: "StablehloIotaOptions",
    fields: &[Field::new("iota_dimension", Scalar(8))],
};

pub static STABLEHLO_CUSTOM_CALL_OPTIONS: Table = Table {
    name: "StablehloCustomCallOptions",
    fields: &[
        Field::new("call_target_name", String),
        Field::new("has_side_effect", Scalar(1)),
        Field::new("backend_config", String),
        Field::new("api_version", Scalar(4)),
        Field::new("called_computations", Scalars { width: 4, align: 4 }).refers(Refers::SubGraph),
        Field::new("custom_attributes", Scalars { width: 1, align: 1 }),
    ],
};

pub static STABLEHLO_REDUCE_OPTIONS: Table = Table {
    name: "StablehloReduceOptions",
    fields: &[
        Field::new("dimensions", Scalars { width: 8, align: 8 }),
        Field::new("body_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static STABLEHLO_SLICE_OPTIONS: Table = Table {
    name: "StablehloSliceOptions",
    fields: &[
        Field::new("start_indices", Scalars { width: 8, align: 8 }),
        Field::new("limit_indices", Scalars { width: 8, align: 8 }),
        Field::new("strides", Scalars { width: 8, align: 8 }),
    ],
};

pub static STABLEHLO_CONVOLUTION_OPTIONS: Table = Table {
    name: "StablehloConvolutionOptions",
    fields: &[
        Field::new("window_strides", Scalars { width: 8, align: 8 }),
        Field::new("padding", Scalars { width: 8, align: 8 }),
        Field::new("lhs_dilation", Scalars { width: 8, align: 8 }),
        Field::new("rhs_dilation", Scalars { width: 8, align: 8 }),
        Field::new("window_reversal", Scalars { width: 1, align: 1 }),
        Field::new("input_batch_dimension", Scalar(8)),
        Field::new("input_feature_dimension", Scalar(8)),
        Field::new("input_spatial_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("kernel_input_feature_dimension", Scalar(8)),
        Field::new("kernel_output_feature_dimension", Scalar(8)),
        Field::new("kernel_spatial_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("output_batch_dimension", Scalar(8)),
        Field::new("output_feature_dimension", Scalar(8)),
        Field::new("output_spatial_dimensions", Scalars { width: 8, align: 8 }),
        Field::new("feature_group_count", Scalar(8)),
        Field::new("batch_group_count", Scalar(8)),
        Field::new("precision_config", Scalars { width: 4, align: 4 }),
    ],
};

pub static STABLEHLO_SCATTER_OPTIONS: Table = Table {
    name: "StablehloScatterOptions",
    fields: &[
        Field::new("indices_are_sorted", Scalar(1)),
        Field::new("update_window_dims", Scalars { width: 8, align: 8 }),
        Field::new("inserted_window_dims", Scalars { width: 8, align: 8 }),
        Field::new("scatter_dims_to_operand_dims", Scalars { width: 8, align: 8 }),
        Field::new("index_vector_dim", Scalar(8)),
        Field::new("unique_indices", Scalar(1)),
        Field::new("update_computation_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static STABLEHLO_CASE_OPTIONS: Table = Table {
    name: "StablehloCaseOptions",
    fields: &[Field::new("branch_subgraph_indices", Scalars { width: 4, align: 4 }).refers(Refers::SubGraph)],
};

pub static STABLEHLO_RNG_BIT_GENERATOR_OPTIONS: Table = Table {
    name: "StablehloRngBitGeneratorOptions",
    fields: &[Field::new("algorithm", Scalar(1))],
};

pub static CONV2_D_OPTIONS: Table = Table {
    name: "Conv2DOptions",
    fields: &[
        Field::new("padding", Scalar(1)),
        Field::new("stride_w", Scalar(4)),
        Field::new("stride_h", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("dilation_w_factor", Scalar(4)),
        Field::new("dilation_h_factor", Scalar(4)),
        Field::new("quantized_bias_type", Scalar(1)),
    ],
};

pub static CONV3_D_OPTIONS: Table = Table {
    name: "Conv3DOptions",
    fields: &[
        Field::new("padding", Scalar(1)),
        Field::new("stride_d", Scalar(4)),
        Field::new("stride_w", Scalar(4)),
        Field::new("stride_h", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("dilation_d_factor", Scalar(4)),
        Field::new("dilation_w_factor", Scalar(4)),
        Field::new("dilation_h_factor", Scalar(4)),
    ],
};

pub static POOL2_D_OPTIONS: Table = Table {
    name: "Pool2DOptions",
    fields: &[
        Field::new("padding", Scalar(1)),
        Field::new("stride_w", Scalar(4)),
        Field::new("stride_h", Scalar(4)),
        Field::new("filter_width", Scalar(4)),
        Field::new("filter_height", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
    ],
};

pub static DEPTHWISE_CONV2_D_OPTIONS: Table = Table {
    name: "DepthwiseConv2DOptions",
    fields: &[
        Field::new("padding", Scalar(1)),
        Field::new("stride_w", Scalar(4)),
        Field::new("stride_h", Scalar(4)),
        Field::new("depth_multiplier", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("dilation_w_factor", Scalar(4)),
        Field::new("dilation_h_factor", Scalar(4)),
    ],
};

pub static CONCAT_EMBEDDINGS_OPTIONS: Table = Table {
    name: "ConcatEmbeddingsOptions",
    fields: &[
        Field::new("num_channels", Scalar(4)),
        Field::new("num_columns_per_channel", Scalars { width: 4, align: 4 }),
        Field::new("embedding_dim_per_channel", Scalars { width: 4, align: 4 }),
    ],
};

pub static LSH_PROJECTION_OPTIONS: Table = Table {
    name: "LSHProjectionOptions",
    fields: &[Field::new("type", Scalar(1))],
};

pub static SVDF_OPTIONS: Table = Table {
    name: "SVDFOptions",
    fields: &[
        Field::new("rank", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static RNN_OPTIONS: Table = Table {
    name: "RNNOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static SEQUENCE_RNN_OPTIONS: Table = Table {
    name: "SequenceRNNOptions",
    fields: &[
        Field::new("time_major", Scalar(1)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static BIDIRECTIONAL_SEQUENCE_RNN_OPTIONS: Table = Table {
    name: "BidirectionalSequenceRNNOptions",
    fields: &[
        Field::new("time_major", Scalar(1)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("merge_outputs", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static FULLY_CONNECTED_OPTIONS: Table = Table {
    name: "FullyConnectedOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("weights_format", Scalar(1)),
        Field::new("keep_num_dims", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
        Field::new("quantized_bias_type", Scalar(1)),
        Field::new("quant_spec", Scalars { width: 1, align: 1 }),
    ],
};

pub static SOFTMAX_OPTIONS: Table = Table {
    name: "SoftmaxOptions",
    fields: &[Field::new("beta", Scalar(4))],
};

pub static CONCATENATION_OPTIONS: Table = Table {
    name: "ConcatenationOptions",
    fields: &[
        Field::new("axis", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
    ],
};

pub static ADD_OPTIONS: Table = Table {
    name: "AddOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("pot_scale_int16", Scalar(1)),
    ],
};

pub static MUL_OPTIONS: Table = Table {
    name: "MulOptions",
    fields: &[Field::new("fused_activation_function", Scalar(1))],
};

pub static L2_NORM_OPTIONS: Table = Table {
    name: "L2NormOptions",
    fields: &[Field::new("fused_activation_function", Scalar(1))],
};

pub static LOCAL_RESPONSE_NORMALIZATION_OPTIONS: Table = Table {
    name: "LocalResponseNormalizationOptions",
    fields: &[
        Field::new("radius", Scalar(4)),
        Field::new("bias", Scalar(4)),
        Field::new("alpha", Scalar(4)),
        Field::new("beta", Scalar(4)),
    ],
};

pub static LSTM_OPTIONS: Table = Table {
    name: "LSTMOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("cell_clip", Scalar(4)),
        Field::new("proj_clip", Scalar(4)),
        Field::new("kernel_type", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static UNIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS: Table = Table {
    name: "UnidirectionalSequenceLSTMOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("cell_clip", Scalar(4)),
        Field::new("proj_clip", Scalar(4)),
        Field::new("time_major", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
        Field::new("diagonal_recurrent_tensors", Scalar(1)),
    ],
};

pub static BIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS: Table = Table {
    name: "BidirectionalSequenceLSTMOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("cell_clip", Scalar(4)),
        Field::new("proj_clip", Scalar(4)),
        Field::new("merge_outputs", Scalar(1)),
        Field::new("time_major", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static RESIZE_BILINEAR_OPTIONS: Table = Table {
    name: "ResizeBilinearOptions",
    fields: &[
        Field::new("", Retired),
        Field::new("", Retired),
        Field::new("align_corners", Scalar(1)),
        Field::new("half_pixel_centers", Scalar(1)),
    ],
};

pub static RESIZE_NEAREST_NEIGHBOR_OPTIONS: Table = Table {
    name: "ResizeNearestNeighborOptions",
    fields: &[
        Field::new("align_corners", Scalar(1)),
        Field::new("half_pixel_centers", Scalar(1)),
    ],
};

pub static CALL_OPTIONS: Table = Table {
    name: "CallOptions",
    fields: &[Field::new("subgraph", Scalar(4)).refers(Refers::SubGraph)],
};

pub static PAD_OPTIONS: Table = Table {
    name: "PadOptions",
    fields: &[],
};

pub static PAD_V2_OPTIONS: Table = Table {
    name: "PadV2Options",
    fields: &[],
};

pub static RESHAPE_OPTIONS: Table = Table {
    name: "ReshapeOptions",
    fields: &[Field::new("new_shape", Scalars { width: 4, align: 4 })],
};

pub static SPACE_TO_BATCH_ND_OPTIONS: Table = Table {
    name: "SpaceToBatchNDOptions",
    fields: &[],
};

pub static BATCH_TO_SPACE_ND_OPTIONS: Table = Table {
    name: "BatchToSpaceNDOptions",
    fields: &[],
};

pub static SKIP_GRAM_OPTIONS: Table = Table {
    name: "SkipGramOptions",
    fields: &[
        Field::new("ngram_size", Scalar(4)),
        Field::new("max_skip_size", Scalar(4)),
        Field::new("include_all_ngrams", Scalar(1)),
    ],
};

pub static SPACE_TO_DEPTH_OPTIONS: Table = Table {
    name: "SpaceToDepthOptions",
    fields: &[Field::new("block_size", Scalar(4))],
};

pub static DEPTH_TO_SPACE_OPTIONS: Table = Table {
    name: "DepthToSpaceOptions",
    fields: &[Field::new("block_size", Scalar(4))],
};

pub static SUB_OPTIONS: Table = Table {
    name: "SubOptions",
    fields: &[
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("pot_scale_int16", Scalar(1)),
    ],
};

pub static DIV_OPTIONS: Table = Table {
    name: "DivOptions",
    fields: &[Field::new("fused_activation_function", Scalar(1))],
};

pub static TOP_KV2_OPTIONS: Table = Table {
    name: "TopKV2Options",
    fields: &[],
};

pub static EMBEDDING_LOOKUP_SPARSE_OPTIONS: Table = Table {
    name: "EmbeddingLookupSparseOptions",
    fields: &[Field::new("combiner", Scalar(1))],
};

pub static GATHER_OPTIONS: Table = Table {
    name: "GatherOptions",
    fields: &[Field::new("axis", Scalar(4)), Field::new("batch_dims", Scalar(4))],
};

pub static TRANSPOSE_OPTIONS: Table = Table {
    name: "TransposeOptions",
    fields: &[],
};

pub static EXP_OPTIONS: Table = Table {
    name: "ExpOptions",
    fields: &[],
};

pub static COS_OPTIONS: Table = Table {
    name: "CosOptions",
    fields: &[],
};

pub static REDUCER_OPTIONS: Table = Table {
    name: "ReducerOptions",
    fields: &[Field::new("keep_dims", Scalar(1))],
};

pub static SQUEEZE_OPTIONS: Table = Table {
    name: "SqueezeOptions",
    fields: &[Field::new("squeeze_dims", Scalars { width: 4, align: 4 })],
};

pub static SPLIT_OPTIONS: Table = Table {
    name: "SplitOptions",
    fields: &[Field::new("num_splits", Scalar(4))],
};

pub static SPLIT_V_OPTIONS: Table = Table {
    name: "SplitVOptions",
    fields: &[Field::new("num_splits", Scalar(4))],
};

pub static STRIDED_SLICE_OPTIONS: Table = Table {
    name: "StridedSliceOptions",
    fields: &[
        Field::new("begin_mask", Scalar(4)),
        Field::new("end_mask", Scalar(4)),
        Field::new("ellipsis_mask", Scalar(4)),
        Field::new("new_axis_mask", Scalar(4)),
        Field::new("shrink_axis_mask", Scalar(4)),
        Field::new("offset", Scalar(1)),
    ],
};

pub static LOG_SOFTMAX_OPTIONS: Table = Table {
    name: "LogSoftmaxOptions",
    fields: &[],
};

pub static CAST_OPTIONS: Table = Table {
    name: "CastOptions",
    fields: &[
        Field::new("in_data_type", Scalar(1)),
        Field::new("out_data_type", Scalar(1)),
    ],
};

pub static DEQUANTIZE_OPTIONS: Table = Table {
    name: "DequantizeOptions",
    fields: &[],
};

pub static MAXIMUM_MINIMUM_OPTIONS: Table = Table {
    name: "MaximumMinimumOptions",
    fields: &[],
};

pub static TILE_OPTIONS: Table = Table {
    name: "TileOptions",
    fields: &[],
};

pub static ARG_MAX_OPTIONS: Table = Table {
    name: "ArgMaxOptions",
    fields: &[Field::new("output_type", Scalar(1))],
};

pub static ARG_MIN_OPTIONS: Table = Table {
    name: "ArgMinOptions",
    fields: &[Field::new("output_type", Scalar(1))],
};

pub static GREATER_OPTIONS: Table = Table {
    name: "GreaterOptions",
    fields: &[],
};

pub static GREATER_EQUAL_OPTIONS: Table = Table {
    name: "GreaterEqualOptions",
    fields: &[],
};

pub static LESS_OPTIONS: Table = Table {
    name: "LessOptions",
    fields: &[],
};

pub static LESS_EQUAL_OPTIONS: Table = Table {
    name: "LessEqualOptions",
    fields: &[],
};

pub static NEG_OPTIONS: Table = Table {
    name: "NegOptions",
    fields: &[],
};

pub static SELECT_OPTIONS: Table = Table {
    name: "SelectOptions",
    fields: &[],
};

pub static SLICE_OPTIONS: Table = Table {
    name: "SliceOptions",
    fields: &[],
};

pub static TRANSPOSE_CONV_OPTIONS: Table = Table {
    name: "TransposeConvOptions",
    fields: &[
        Field::new("padding", Scalar(1)),
        Field::new("stride_w", Scalar(4)),
        Field::new("stride_h", Scalar(4)),
        Field::new("fused_activation_function", Scalar(1)),
        Field::new("quantized_bias_type", Scalar(1)),
    ],
};

pub static EXPAND_DIMS_OPTIONS: Table = Table {
    name: "ExpandDimsOptions",
    fields: &[],
};

pub static SPARSE_TO_DENSE_OPTIONS: Table = Table {
    name: "SparseToDenseOptions",
    fields: &[Field::new("validate_indices", Scalar(1))],
};

pub static EQUAL_OPTIONS: Table = Table {
    name: "EqualOptions",
    fields: &[],
};

pub static NOT_EQUAL_OPTIONS: Table = Table {
    name: "NotEqualOptions",
    fields: &[],
};

pub static SHAPE_OPTIONS: Table = Table {
    name: "ShapeOptions",
    fields: &[Field::new("out_type", Scalar(1))],
};

pub static RANK_OPTIONS: Table = Table {
    name: "RankOptions",
    fields: &[],
};

pub static POW_OPTIONS: Table = Table {
    name: "PowOptions",
    fields: &[],
};

pub static FAKE_QUANT_OPTIONS: Table = Table {
    name: "FakeQuantOptions",
    fields: &[
        Field::new("min", Scalar(4)),
        Field::new("max", Scalar(4)),
        Field::new("num_bits", Scalar(4)),
        Field::new("narrow_range", Scalar(1)),
    ],
};

pub static PACK_OPTIONS: Table = Table {
    name: "PackOptions",
    fields: &[Field::new("values_count", Scalar(4)), Field::new("axis", Scalar(4))],
};

pub static LOGICAL_OR_OPTIONS: Table = Table {
    name: "LogicalOrOptions",
    fields: &[],
};

pub static ONE_HOT_OPTIONS: Table = Table {
    name: "OneHotOptions",
    fields: &[Field::new("axis", Scalar(4))],
};

pub static ABS_OPTIONS: Table = Table {
    name: "AbsOptions",
    fields: &[],
};

pub static HARD_SWISH_OPTIONS: Table = Table {
    name: "HardSwishOptions",
    fields: &[],
};

pub static LOGICAL_AND_OPTIONS: Table = Table {
    name: "LogicalAndOptions",
    fields: &[],
};

pub static LOGICAL_NOT_OPTIONS: Table = Table {
    name: "LogicalNotOptions",
    fields: &[],
};

pub static UNPACK_OPTIONS: Table = Table {
    name: "UnpackOptions",
    fields: &[Field::new("num", Scalar(4)), Field::new("axis", Scalar(4))],
};

pub static FLOOR_DIV_OPTIONS: Table = Table {
    name: "FloorDivOptions",
    fields: &[],
};

pub static SQUARE_OPTIONS: Table = Table {
    name: "SquareOptions",
    fields: &[],
};

pub static ZEROS_LIKE_OPTIONS: Table = Table {
    name: "ZerosLikeOptions",
    fields: &[],
};

pub static FILL_OPTIONS: Table = Table {
    name: "FillOptions",
    fields: &[],
};

pub static FLOOR_MOD_OPTIONS: Table = Table {
    name: "FloorModOptions",
    fields: &[],
};

pub static RANGE_OPTIONS: Table = Table {
    name: "RangeOptions",
    fields: &[],
};

pub static LEAKY_RELU_OPTIONS: Table = Table {
    name: "LeakyReluOptions",
    fields: &[Field::new("alpha", Scalar(4))],
};

pub static SQUARED_DIFFERENCE_OPTIONS: Table = Table {
    name: "SquaredDifferenceOptions",
    fields: &[],
};

pub static MIRROR_PAD_OPTIONS: Table = Table {
    name: "MirrorPadOptions",
    fields: &[Field::new("mode", Scalar(1))],
};

pub static UNIQUE_OPTIONS: Table = Table {
    name: "UniqueOptions",
    fields: &[Field::new("idx_out_type", Scalar(1))],
};

pub static REVERSE_V2_OPTIONS: Table = Table {
    name: "ReverseV2Options",
    fields: &[],
};

pub static ADD_N_OPTIONS: Table = Table {
    name: "AddNOptions",
    fields: &[],
};

pub static GATHER_ND_OPTIONS: Table = Table {
    name: "GatherNdOptions",
    fields: &[],
};

pub static WHERE_OPTIONS: Table = Table {
    name: "WhereOptions",
    fields: &[],
};

pub static REVERSE_SEQUENCE_OPTIONS: Table = Table {
    name: "ReverseSequenceOptions",
    fields: &[Field::new("seq_dim", Scalar(4)), Field::new("batch_dim", Scalar(4))],
};

pub static MATRIX_DIAG_OPTIONS: Table = Table {
    name: "MatrixDiagOptions",
    fields: &[],
};

pub static QUANTIZE_OPTIONS: Table = Table {
    name: "QuantizeOptions",
    fields: &[],
};

pub static MATRIX_SET_DIAG_OPTIONS: Table = Table {
    name: "MatrixSetDiagOptions",
    fields: &[],
};

pub static IF_OPTIONS: Table = Table {
    name: "IfOptions",
    fields: &[
        Field::new("then_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
        Field::new("else_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static CALL_ONCE_OPTIONS: Table = Table {
    name: "CallOnceOptions",
    fields: &[Field::new("init_subgraph_index", Scalar(4)).refers(Refers::SubGraph)],
};

pub static WHILE_OPTIONS: Table = Table {
    name: "WhileOptions",
    fields: &[
        Field::new("cond_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
        Field::new("body_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static NON_MAX_SUPPRESSION_V4_OPTIONS: Table = Table {
    name: "NonMaxSuppressionV4Options",
    fields: &[],
};

pub static NON_MAX_SUPPRESSION_V5_OPTIONS: Table = Table {
    name: "NonMaxSuppressionV5Options",
    fields: &[],
};

pub static SCATTER_ND_OPTIONS: Table = Table {
    name: "ScatterNdOptions",
    fields: &[],
};

pub static SELECT_V2_OPTIONS: Table = Table {
    name: "SelectV2Options",
    fields: &[],
};

pub static DENSIFY_OPTIONS: Table = Table {
    name: "DensifyOptions",
    fields: &[],
};

pub static SEGMENT_SUM_OPTIONS: Table = Table {
    name: "SegmentSumOptions",
    fields: &[],
};

pub static BATCH_MAT_MUL_OPTIONS: Table = Table {
    name: "BatchMatMulOptions",
    fields: &[
        Field::new("adj_x", Scalar(1)),
        Field::new("adj_y", Scalar(1)),
        Field::new("asymmetric_quantize_inputs", Scalar(1)),
    ],
};

pub static CUMSUM_OPTIONS: Table = Table {
    name: "CumsumOptions",
    fields: &[Field::new("exclusive", Scalar(1)), Field::new("reverse", Scalar(1))],
};

pub static BROADCAST_TO_OPTIONS: Table = Table {
    name: "BroadcastToOptions",
    fields: &[],
};

pub static RFFT2D_OPTIONS: Table = Table {
    name: "Rfft2dOptions",
    fields: &[],
};

pub static HASHTABLE_OPTIONS: Table = Table {
    name: "HashtableOptions",
    fields: &[
        Field::new("table_id", Scalar(4)),
        Field::new("key_dtype", Scalar(1)),
        Field::new("value_dtype", Scalar(1)),
    ],
};

pub static HASHTABLE_FIND_OPTIONS: Table = Table {
    name: "HashtableFindOptions",
    fields: &[],
};

pub static HASHTABLE_IMPORT_OPTIONS: Table = Table {
    name: "HashtableImportOptions",
    fields: &[],
};

pub static HASHTABLE_SIZE_OPTIONS: Table = Table {
    name: "HashtableSizeOptions",
    fields: &[],
};

pub static VAR_HANDLE_OPTIONS: Table = Table {
    name: "VarHandleOptions",
    fields: &[Field::new("container", String), Field::new("shared_name", String)],
};

pub static READ_VARIABLE_OPTIONS: Table = Table {
    name: "ReadVariableOptions",
    fields: &[],
};

pub static ASSIGN_VARIABLE_OPTIONS: Table = Table {
    name: "AssignVariableOptions",
    fields: &[],
};

pub static RANDOM_OPTIONS: Table = Table {
    name: "RandomOptions",
    fields: &[Field::new("seed", Scalar(8)), Field::new("seed2", Scalar(8))],
};

pub static BUCKETIZE_OPTIONS: Table = Table {
    name: "BucketizeOptions",
    fields: &[Field::new("boundaries", Scalars { width: 4, align: 4 })],
};

pub static GELU_OPTIONS: Table = Table {
    name: "GeluOptions",
    fields: &[Field::new("approximate", Scalar(1))],
};

pub static DYNAMIC_UPDATE_SLICE_OPTIONS: Table = Table {
    name: "DynamicUpdateSliceOptions",
    fields: &[],
};

pub static UNSORTED_SEGMENT_PROD_OPTIONS: Table = Table {
    name: "UnsortedSegmentProdOptions",
    fields: &[],
};

pub static UNSORTED_SEGMENT_MAX_OPTIONS: Table = Table {
    name: "UnsortedSegmentMaxOptions",
    fields: &[],
};

pub static UNSORTED_SEGMENT_SUM_OPTIONS: Table = Table {
    name: "UnsortedSegmentSumOptions",
    fields: &[],
};

pub static A_TAN2_OPTIONS: Table = Table {
    name: "ATan2Options",
    fields: &[],
};

pub static UNSORTED_SEGMENT_MIN_OPTIONS: Table = Table {
    name: "UnsortedSegmentMinOptions",
    fields: &[],
};

pub static SIGN_OPTIONS: Table = Table {
    name: "SignOptions",
    fields: &[],
};

pub static BITCAST_OPTIONS: Table = Table {
    name: "BitcastOptions",
    fields: &[],
};

pub static BITWISE_XOR_OPTIONS: Table = Table {
    name: "BitwiseXorOptions",
    fields: &[],
};

pub static RIGHT_SHIFT_OPTIONS: Table = Table {
    name: "RightShiftOptions",
    fields: &[],
};

pub static DILATE_OPTIONS: Table = Table {
    name: "DilateOptions",
    fields: &[],
};

pub static REDUCE_WINDOW_OPTIONS: Table = Table {
    name: "ReduceWindowOptions",
    fields: &[Field::new("reduce_function", Scalar(4))],
};

pub static OPERATOR_CODE: Table = Table {
    name: "OperatorCode",
    fields: &[
        Field::new("deprecated_builtin_code", Scalar(1)),
        Field::new("custom_code", String),
        Field::new("version", Scalar(4)),
        Field::new("builtin_code", Scalar(4)),
    ],
};

pub static STABLEHLO_COMPOSITE_OPTIONS: Table = Table {
    name: "StableHLOCompositeOptions",
    fields: &[
        Field::new("name", String),
        Field::new("decomposition_subgraph_index", Scalar(4)).refers(Refers::SubGraph),
        Field::new("composite_attributes", Scalars { width: 1, align: 1 }),
        Field::new("composite_attributes_format", Scalar(1)),
        Field::new("version", Scalar(4)),
    ],
};

pub static STABLEHLO_SHIFT_LEFT_OPTIONS: Table = Table {
    name: "StablehloShiftLeftOptions",
    fields: &[],
};

pub static OPERATOR: Table = Table {
    name: "Operator",
    fields: &[
        Field::new("opcode_index", Scalar(4)).refers(Refers::OperatorCode),
        Field::new("inputs", Scalars { width: 4, align: 4 }).refers(Refers::OptionalTensor),
        Field::new("outputs", Scalars { width: 4, align: 4 }).refers(Refers::Tensor),
        Field::new("builtin_options_type", UnionType),
        Field::new("builtin_options", Union(&BUILTIN_OPTIONS)),
        Field::new("custom_options", Scalars { width: 1, align: 1 }),
        Field::new("custom_options_format", Scalar(1)),
        Field::new("mutating_variable_inputs", Scalars { width: 1, align: 1 }),
        Field::new("intermediates", Scalars { width: 4, align: 4 }).refers(Refers::OptionalTensor),
        Field::new("large_custom_options_offset", Scalar(8)),
        Field::new("large_custom_options_size", Scalar(8)),
        Field::new("builtin_options_2_type", UnionType),
        Field::new("builtin_options_2", Union(&BUILTIN_OPTIONS_2)),
        Field::new("debug_metadata_index", Scalar(4)),
    ],
};

pub static SUB_GRAPH: Table = Table {
    name: "SubGraph",
    fields: &[
        Field::new("tensors", Tables(&TENSOR)),
        Field::new("inputs", Scalars { width: 4, align: 4 }).refers(Refers::Tensor),
        Field::new("outputs", Scalars { width: 4, align: 4 }).refers(Refers::Tensor),
        Field::new("operators", Tables(&OPERATOR)),
        Field::new("name", String),
        Field::new("debug_metadata_index", Scalar(4)),
    ],
};

pub static BUFFER: Table = Table {
    name: "Buffer",
    fields: &[
        Field::new("data", Scalars { width: 1, align: 16 }),
        Field::new("offset", Scalar(8)),
        Field::new("size", Scalar(8)),
    ],
};

pub static EXTERNAL_BUFFER_GROUP: Table = Table {
    name: "ExternalBufferGroup",
    fields: &[Field::new("name", String)],
};

pub static EXTERNAL_BUFFER: Table = Table {
    name: "ExternalBuffer",
    fields: &[
        Field::new("id", Scalar(4)),
        Field::new("group", Scalar(4)),
        Field::new("offset", Scalar(8)),
        Field::new("length", Scalar(8)),
        Field::new("packing", String),
    ],
};

pub static METADATA: Table = Table {
    name: "Metadata",
    fields: &[
        Field::new("name", String),
        Field::new("buffer", Scalar(4)).refers(Refers::Buffer),
    ],
};

pub static TENSOR_MAP: Table = Table {
    name: "TensorMap",
    fields: &[
        Field::new("name", String),
        Field::new("tensor_index", Scalar(4)).refers(Refers::Tensor),
    ],
};

pub static SIGNATURE_DEF: Table = Table {
    name: "SignatureDef",
    fields: &[
        Field::new("inputs", Tables(&TENSOR_MAP)),
        Field::new("outputs", Tables(&TENSOR_MAP)),
        Field::new("signature_key", String),
        Field::new("", Retired),
        Field::new("subgraph_index", Scalar(4)).refers(Refers::SubGraph),
    ],
};

pub static MODEL: Table = Table {
    name: "Model",
    fields: &[
        Field::new("version", Scalar(4)),
        Field::new("operator_codes", Tables(&OPERATOR_CODE)),
        Field::new("subgraphs", Tables(&SUB_GRAPH)),
        Field::new("description", String),
        Field::new("buffers", Tables(&BUFFER)),
        Field::new("metadata_buffer", Scalars { width: 4, align: 4 }).refers(Refers::Buffer),
        Field::new("metadata", Tables(&METADATA)),
        Field::new("signature_defs", Tables(&SIGNATURE_DEF)),
        Field::new("external_buffer_groups", Tables(&EXTERNAL_BUFFER_GROUP)),
        Field::new("external_buffers", Tables(&EXTERNAL_BUFFER)),
    ],
};

pub static QUANTIZATION_DETAILS: UnionTable = UnionTable {
    name: "QuantizationDetails",
    members: &[
        Some(&CUSTOM_QUANTIZATION),
        Some(&BLOCKWISE_QUANTIZATION),
        Some(&MULTI_AXIS_QUANTIZATION),
    ],
};

pub static SPARSE_INDEX_VECTOR: UnionTable = UnionTable {
    name: "SparseIndexVector",
    members: &[Some(&INT32_VECTOR), Some(&UINT16_VECTOR), Some(&UINT8_VECTOR)],
};

pub static BUILTIN_OPTIONS: UnionTable = UnionTable {
    name: "BuiltinOptions",
    members: &[
        Some(&CONV2_D_OPTIONS),
        Some(&DEPTHWISE_CONV2_D_OPTIONS),
        Some(&CONCAT_EMBEDDINGS_OPTIONS),
        Some(&LSH_PROJECTION_OPTIONS),
        Some(&POOL2_D_OPTIONS),
        Some(&SVDF_OPTIONS),
        Some(&RNN_OPTIONS),
        Some(&FULLY_CONNECTED_OPTIONS),
        Some(&SOFTMAX_OPTIONS),
        Some(&CONCATENATION_OPTIONS),
        Some(&ADD_OPTIONS),
        Some(&L2_NORM_OPTIONS),
        Some(&LOCAL_RESPONSE_NORMALIZATION_OPTIONS),
        Some(&LSTM_OPTIONS),
        Some(&RESIZE_BILINEAR_OPTIONS),
        Some(&CALL_OPTIONS),
        Some(&RESHAPE_OPTIONS),
        Some(&SKIP_GRAM_OPTIONS),
        Some(&SPACE_TO_DEPTH_OPTIONS),
        Some(&EMBEDDING_LOOKUP_SPARSE_OPTIONS),
        Some(&MUL_OPTIONS),
        Some(&PAD_OPTIONS),
        Some(&GATHER_OPTIONS),
        Some(&BATCH_TO_SPACE_ND_OPTIONS),
        Some(&SPACE_TO_BATCH_ND_OPTIONS),
        Some(&TRANSPOSE_OPTIONS),
        Some(&REDUCER_OPTIONS),
        Some(&SUB_OPTIONS),
        Some(&DIV_OPTIONS),
        Some(&SQUEEZE_OPTIONS),
        Some(&SEQUENCE_RNN_OPTIONS),
        Some(&STRIDED_SLICE_OPTIONS),
        Some(&EXP_OPTIONS),
        Some(&TOP_KV2_OPTIONS),
        Some(&SPLIT_OPTIONS),
        Some(&LOG_SOFTMAX_OPTIONS),
        Some(&CAST_OPTIONS),
        Some(&DEQUANTIZE_OPTIONS),
        Some(&MAXIMUM_MINIMUM_OPTIONS),
        Some(&ARG_MAX_OPTIONS),
        Some(&LESS_OPTIONS),
        Some(&NEG_OPTIONS),
        Some(&PAD_V2_OPTIONS),
        Some(&GREATER_OPTIONS),
        Some(&GREATER_EQUAL_OPTIONS),
        Some(&LESS_EQUAL_OPTIONS),
        Some(&SELECT_OPTIONS),
        Some(&SLICE_OPTIONS),
        Some(&TRANSPOSE_CONV_OPTIONS),
        Some(&SPARSE_TO_DENSE_OPTIONS),
        Some(&TILE_OPTIONS),
        Some(&EXPAND_DIMS_OPTIONS),
        Some(&EQUAL_OPTIONS),
        Some(&NOT_EQUAL_OPTIONS),
        Some(&SHAPE_OPTIONS),
        Some(&POW_OPTIONS),
        Some(&ARG_MIN_OPTIONS),
        Some(&FAKE_QUANT_OPTIONS),
        Some(&PACK_OPTIONS),
        Some(&LOGICAL_OR_OPTIONS),
        Some(&ONE_HOT_OPTIONS),
        Some(&LOGICAL_AND_OPTIONS),
        Some(&LOGICAL_NOT_OPTIONS),
        Some(&UNPACK_OPTIONS),
        Some(&FLOOR_DIV_OPTIONS),
        Some(&SQUARE_OPTIONS),
        Some(&ZEROS_LIKE_OPTIONS),
        Some(&FILL_OPTIONS),
        Some(&BIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS),
        Some(&BIDIRECTIONAL_SEQUENCE_RNN_OPTIONS),
        Some(&UNIDIRECTIONAL_SEQUENCE_LSTM_OPTIONS),
        Some(&FLOOR_MOD_OPTIONS),
        Some(&RANGE_OPTIONS),
        Some(&RESIZE_NEAREST_NEIGHBOR_OPTIONS),
        Some(&LEAKY_RELU_OPTIONS),
        Some(&SQUARED_DIFFERENCE_OPTIONS),
        Some(&MIRROR_PAD_OPTIONS),
        Some(&ABS_OPTIONS),
        Some(&SPLIT_V_OPTIONS),
        Some(&UNIQUE_OPTIONS),
        Some(&REVERSE_V2_OPTIONS),
        Some(&ADD_N_OPTIONS),
        Some(&GATHER_ND_OPTIONS),
        Some(&COS_OPTIONS),
        Some(&WHERE_OPTIONS),
        Some(&RANK_OPTIONS),
        Some(&REVERSE_SEQUENCE_OPTIONS),
        Some(&MATRIX_DIAG_OPTIONS),
        Some(&QUANTIZE_OPTIONS),
        Some(&MATRIX_SET_DIAG_OPTIONS),
        Some(&HARD_SWISH_OPTIONS),
        Some(&IF_OPTIONS),
        Some(&WHILE_OPTIONS),
        Some(&DEPTH_TO_SPACE_OPTIONS),
        Some(&NON_MAX_SUPPRESSION_V4_OPTIONS),
        Some(&NON_MAX_SUPPRESSION_V5_OPTIONS),
        Some(&SCATTER_ND_OPTIONS),
        Some(&SELECT_V2_OPTIONS),
        Some(&DENSIFY_OPTIONS),
        Some(&SEGMENT_SUM_OPTIONS),
        Some(&BATCH_MAT_MUL_OPTIONS),
        Some(&CUMSUM_OPTIONS),
        Some(&CALL_ONCE_OPTIONS),
        Some(&BROADCAST_TO_OPTIONS),
        Some(&RFFT2D_OPTIONS),
        Some(&CONV3_D_OPTIONS),
        Some(&HASHTABLE_OPTIONS),
        Some(&HASHTABLE_FIND_OPTIONS),
        Some(&HASHTABLE_IMPORT_OPTIONS),
        Some(&HASHTABLE_SIZE_OPTIONS),
        Some(&VAR_HANDLE_OPTIONS),
        Some(&READ_VARIABLE_OPTIONS),
        Some(&ASSIGN_VARIABLE_OPTIONS),
        Some(&RANDOM_OPTIONS),
        Some(&BUCKETIZE_OPTIONS),
        Some(&GELU_OPTIONS),
        Some(&DYNAMIC_UPDATE_SLICE_OPTIONS),
        Some(&UNSORTED_SEGMENT_PROD_OPTIONS),
        Some(&UNSORTED_SEGMENT_MAX_OPTIONS),
        Some(&UNSORTED_SEGMENT_MIN_OPTIONS),
        Some(&UNSORTED_SEGMENT_SUM_OPTIONS),
        Some(&A_TAN2_OPTIONS),
        Some(&SIGN_OPTIONS),
        Some(&BITCAST_OPTIONS),
        Some(&BITWISE_XOR_OPTIONS),
        Some(&RIGHT_SHIFT_OPTIONS),
    ],
};

pub static BUILTIN_OPTIONS_2: UnionTable = UnionTable {
    name: "BuiltinOptions2",
    members: &[
        Some(&STABLEHLO_CONCATENATE_OPTIONS),
        Some(&STABLEHLO_BROADCAST_IN_DIM_OPTIONS),
        Some(&STABLEHLO_SLICE_OPTIONS),
        Some(&STABLEHLO_CONVOLUTION_OPTIONS),
        Some(&STABLEHLO_CUSTOM_CALL_OPTIONS),
        Some(&STABLEHLO_REDUCE_OPTIONS),
        Some(&STABLEHLO_SCATTER_OPTIONS),
        Some(&STABLEHLO_COMPARE_OPTIONS),
        Some(&STABLEHLO_DYNAMIC_SLICE_OPTIONS),
        Some(&STABLEHLO_PAD_OPTIONS),
        Some(&STABLEHLO_IOTA_OPTIONS),
        Some(&STABLEHLO_DOT_GENERAL_OPTIONS),
        Some(&STABLEHLO_REDUCE_WINDOW_OPTIONS),
        Some(&STABLEHLO_SORT_OPTIONS),
        Some(&STABLEHLO_WHILE_OPTIONS),
        Some(&STABLEHLO_GATHER_OPTIONS),
        Some(&STABLEHLO_TRANSPOSE_OPTIONS),
        Some(&DILATE_OPTIONS),
        Some(&STABLEHLO_RNG_BIT_GENERATOR_OPTIONS),
        Some(&REDUCE_WINDOW_OPTIONS),
        Some(&STABLEHLO_COMPOSITE_OPTIONS),
        Some(&STABLEHLO_SHIFT_LEFT_OPTIONS),
        Some(&STABLEHLO_CASE_OPTIONS),
    ],
};

/// Names of the builtin operators by their number; empty where there is none.
pub static BUILTIN_OPERATORS: &[&str] = &[
    "ADD",
    "AVERAGE_POOL_2D",
    "CONCATENATION",
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "DEPTH_TO_SPACE",
    "DEQUANTIZE",
    "EMBEDDING_LOOKUP",
    "FLOOR",
    "FULLY_CONNECTED",
    "HASHTABLE_LOOKUP",
    "L2_NORMALIZATION",
    "L2_POOL_2D",
    "LOCAL_RESPONSE_NORMALIZATION",
    "LOGISTIC",
    "LSH_PROJECTION",
    "LSTM",
    "MAX_POOL_2D",
    "MUL",
    "RELU",
    "RELU_N1_TO_1",
    "RELU6",
    "RESHAPE",
    "RESIZE_BILINEAR",
    "RNN",
    "SOFTMAX",
    "SPACE_TO_DEPTH",
    "SVDF",
    "TANH",
    "CONCAT_EMBEDDINGS",
    "SKIP_GRAM",
    "CALL",
    "CUSTOM",
    "EMBEDDING_LOOKUP_SPARSE",
    "PAD",
    "UNIDIRECTIONAL_SEQUENCE_RNN",
    "GATHER",
    "BATCH_TO_SPACE_ND",
    "SPACE_TO_BATCH_ND",
    "TRANSPOSE",
    "MEAN",
    "SUB",
    "DIV",
    "SQUEEZE",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
    "STRIDED_SLICE",
    "BIDIRECTIONAL_SEQUENCE_RNN",
    "EXP",
    "TOPK_V2",
    "SPLIT",
    "LOG_SOFTMAX",
    "DELEGATE",
    "BIDIRECTIONAL_SEQUENCE_LSTM",
    "CAST",
    "PRELU",
    "MAXIMUM",
    "ARG_MAX",
    "MINIMUM",
    "LESS",
    "NEG",
    "PADV2",
    "GREATER",
    "GREATER_EQUAL",
    "LESS_EQUAL",
    "SELECT",
    "SLICE",
    "SIN",
    "TRANSPOSE_CONV",
    "SPARSE_TO_DENSE",
    "TILE",
    "EXPAND_DIMS",
    "EQUAL",
    "NOT_EQUAL",
    "LOG",
    "SUM",
    "SQRT",
    "RSQRT",
    "SHAPE",
    "POW",
    "ARG_MIN",
    "FAKE_QUANT",
    "REDUCE_PROD",
    "REDUCE_MAX",
    "PACK",
    "LOGICAL_OR",
    "ONE_HOT",
    "LOGICAL_AND",
    "LOGICAL_NOT",
    "UNPACK",
    "REDUCE_MIN",
    "FLOOR_DIV",
    "REDUCE_ANY",
    "SQUARE",
    "ZEROS_LIKE",
    "FILL",
    "FLOOR_MOD",
    "RANGE",
    "RESIZE_NEAREST_NEIGHBOR",
    "LEAKY_RELU",
    "SQUARED_DIFFERENCE",
    "MIRROR_PAD",
    "ABS",
    "SPLIT_V",
    "UNIQUE",
    "CEIL",
    "REVERSE_V2",
    "ADD_N",
    "GATHER_ND",
    "COS",
    "WHERE",
    "RANK",
    "ELU",
    "REVERSE_SEQUENCE",
    "MATRIX_DIAG",
    "QUANTIZE",
    "MATRIX_SET_DIAG",
    "ROUND",
    "HARD_SWISH",
    "IF",
    "WHILE",
    "NON_MAX_SUPPRESSION_V4",
    "NON_MAX_SUPPRESSION_V5",
    "SCATTER_ND",
    "SELECT_V2",
    "DENSIFY",
    "SEGMENT_SUM",
    "BATCH_MATMUL",
    "PLACEHOLDER_FOR_GREATER_OP_CODES",
    "CUMSUM",
    "CALL_ONCE",
    "BROADCAST_TO",
    "RFFT2D",
    "CONV_3D",
    "IMAG",
    "REAL",
    "COMPLEX_ABS",
    "HASHTABLE",
    "HASHTABLE_FIND",
    "HASHTABLE_IMPORT",
    "HASHTABLE_SIZE",
    "REDUCE_ALL",
    "CONV_3D_TRANSPOSE",
    "VAR_HANDLE",
    "READ_VARIABLE",
    "ASSIGN_VARIABLE",
    "BROADCAST_ARGS",
    "RANDOM_STANDARD_NORMAL",
    "BUCKETIZE",
    "RANDOM_UNIFORM",
    "MULTINOMIAL",
    "GELU",
    "DYNAMIC_UPDATE_SLICE",
    "RELU_0_TO_1",
    "UNSORTED_SEGMENT_PROD",
    "UNSORTED_SEGMENT_MAX",
    "UNSORTED_SEGMENT_SUM",
    "ATAN2",
    "UNSORTED_SEGMENT_MIN",
    "SIGN",
    "BITCAST",
    "BITWISE_XOR",
    "RIGHT_SHIFT",
    "STABLEHLO_LOGISTIC",
    "STABLEHLO_ADD",
    "STABLEHLO_DIVIDE",
    "STABLEHLO_MULTIPLY",
    "STABLEHLO_MAXIMUM",
    "STABLEHLO_RESHAPE",
    "STABLEHLO_CLAMP",
    "STABLEHLO_CONCATENATE",
    "STABLEHLO_BROADCAST_IN_DIM",
    "STABLEHLO_CONVOLUTION",
    "STABLEHLO_SLICE",
    "STABLEHLO_CUSTOM_CALL",
    "STABLEHLO_REDUCE",
    "STABLEHLO_ABS",
    "STABLEHLO_AND",
    "STABLEHLO_COSINE",
    "STABLEHLO_EXPONENTIAL",
    "STABLEHLO_FLOOR",
    "STABLEHLO_LOG",
    "STABLEHLO_MINIMUM",
    "STABLEHLO_NEGATE",
    "STABLEHLO_OR",
    "STABLEHLO_POWER",
    "STABLEHLO_REMAINDER",
    "STABLEHLO_RSQRT",
    "STABLEHLO_SELECT",
    "STABLEHLO_SUBTRACT",
    "STABLEHLO_TANH",
    "STABLEHLO_SCATTER",
    "STABLEHLO_COMPARE",
    "STABLEHLO_CONVERT",
    "STABLEHLO_DYNAMIC_SLICE",
    "STABLEHLO_DYNAMIC_UPDATE_SLICE",
    "STABLEHLO_PAD",
    "STABLEHLO_IOTA",
    "STABLEHLO_DOT_GENERAL",
    "STABLEHLO_REDUCE_WINDOW",
    "STABLEHLO_SORT",
    "STABLEHLO_WHILE",
    "STABLEHLO_GATHER",
    "STABLEHLO_TRANSPOSE",
    "DILATE",
    "STABLEHLO_RNG_BIT_GENERATOR",
    "REDUCE_WINDOW",
    "STABLEHLO_COMPOSITE",
    "STABLEHLO_SHIFT_LEFT",
    "STABLEHLO_CBRT",
    "STABLEHLO_CASE",
];

/// Names of the element types by their number.
pub static TENSOR_TYPES: &[&str] = &[
    "FLOAT32",
    "FLOAT16",
    "INT32",
    "UINT8",
    "INT64",
    "STRING",
    "BOOL",
    "INT16",
    "COMPLEX64",
    "INT8",
    "FLOAT64",
    "COMPLEX128",
    "UINT64",
    "RESOURCE",
    "VARIANT",
    "UINT32",
    "UINT16",
    "INT4",
    "BFLOAT16",
    "INT2",
    "UINT4",
    "FLOAT8_E4M3FN",
    "FLOAT8_E5M2",
];

/// Slots of `Model`.
pub mod model {
    pub const VERSION: usize = 0;
    pub const OPERATOR_CODES: usize = 1;
    pub const SUBGRAPHS: usize = 2;
    pub const DESCRIPTION: usize = 3;
    pub const BUFFERS: usize = 4;
    pub const METADATA_BUFFER: usize = 5;
    pub const METADATA: usize = 6;
    pub const SIGNATURE_DEFS: usize = 7;
    pub const EXTERNAL_BUFFER_GROUPS: usize = 8;
    pub const EXTERNAL_BUFFERS: usize = 9;
}

/// Slots of `SubGraph`.
pub mod sub_graph {
    pub const TENSORS: usize = 0;
    pub const INPUTS: usize = 1;
    pub const OUTPUTS: usize = 2;
    pub const OPERATORS: usize = 3;
    pub const NAME: usize = 4;
    pub const DEBUG_METADATA_INDEX: usize = 5;
}

/// Slots of `Tensor`.
pub mod tensor {
    pub const SHAPE: usize = 0;
    pub const TYPE: usize = 1;
    pub const BUFFER: usize = 2;
    pub const NAME: usize = 3;
    pub const QUANTIZATION: usize = 4;
    pub const IS_VARIABLE: usize = 5;
    pub const SPARSITY: usize = 6;
    pub const SHAPE_SIGNATURE: usize = 7;
    pub const HAS_RANK: usize = 8;
    pub const VARIANT_TENSORS: usize = 9;
    pub const EXTERNAL_BUFFER: usize = 10;
}

/// Slots of `Operator`.
pub mod operator {
    pub const OPCODE_INDEX: usize = 0;
    pub const INPUTS: usize = 1;
    pub const OUTPUTS: usize = 2;
    pub const BUILTIN_OPTIONS_TYPE: usize = 3;
    pub const BUILTIN_OPTIONS: usize = 4;
    pub const CUSTOM_OPTIONS: usize = 5;
    pub const CUSTOM_OPTIONS_FORMAT: usize = 6;
    pub const MUTATING_VARIABLE_INPUTS: usize = 7;
    pub const INTERMEDIATES: usize = 8;
    pub const LARGE_CUSTOM_OPTIONS_OFFSET: usize = 9;
    pub const LARGE_CUSTOM_OPTIONS_SIZE: usize = 10;
    pub const BUILTIN_OPTIONS_2_TYPE: usize = 11;
    pub const BUILTIN_OPTIONS_2: usize = 12;
    pub const DEBUG_METADATA_INDEX: usize = 13;
}

/// Slots of `OperatorCode`.
pub mod operator_code {
    pub const DEPRECATED_BUILTIN_CODE: usize = 0;
    pub const CUSTOM_CODE: usize = 1;
    pub const VERSION: usize = 2;
    pub const BUILTIN_CODE: usize = 3;
}

/// Slots of `Buffer`.
pub mod buffer {
    pub const DATA: usize = 0;
    pub const OFFSET: usize = 1;
    pub const SIZE: usize = 2;
}

/// Slots of `Metadata`.
pub mod metadata {
    pub const NAME: usize = 0;
    pub const BUFFER: usize = 1;
}

/// Slots of `SignatureDef`.
pub mod signature_def {
    pub const INPUTS: usize = 0;
    pub const OUTPUTS: usize = 1;
    pub const SIGNATURE_KEY: usize = 2;
    pub const SUBGRAPH_INDEX: usize = 4;
}

/// Slots of `TensorMap`.
pub mod tensor_map {
    pub const NAME: usize = 0;
    pub const TENSOR_INDEX: usize = 1;
}

/// Slots of `QuantizationParameters`.
pub mod quantization_parameters {
    pub const MIN: usize = 0;
    pub const MAX: usize = 1;
    pub const SCALE: usize = 2;
    pub const ZERO_POINT: usize = 3;
    pub const DETAILS_TYPE: usize = 4;
    pub const DETAILS: usize = 5;
    pub const QUANTIZED_DIMENSION: usize = 6;
}

/// Slots of `BlockwiseQuantization`.
pub mod blockwise_quantization {
    pub const SCALES: usize = 0;
    pub const ZERO_POINTS: usize = 1;
    pub const BLOCK_SIZE: usize = 2;
    pub const BLOCK_SHAPE: usize = 3;
}

/// Slots of `MultiAxisQuantization`.
pub mod multi_axis_quantization {
    pub const SCALES: usize = 0;
    pub const ZERO_POINTS: usize = 1;
    pub const BLOCK_SIZE: usize = 2;
    pub const QUANTIZED_DIMENSIONS: usize = 3;
}

/// Slots of `SparsityParameters`.
pub mod sparsity_parameters {
    pub const TRAVERSAL_ORDER: usize = 0;
    pub const BLOCK_MAP: usize = 1;
    pub const DIM_METADATA: usize = 2;
}

/// Slots of `DimensionMetadata`.
pub mod dimension_metadata {
    pub const FORMAT: usize = 0;
    pub const DENSE_SIZE: usize = 1;
    pub const ARRAY_SEGMENTS_TYPE: usize = 2;
    pub const ARRAY_SEGMENTS: usize = 3;
    pub const ARRAY_INDICES_TYPE: usize = 4;
    pub const ARRAY_INDICES: usize = 5;
}

/// Slots of `StableHLOCompositeOptions`.
pub mod stablehlo_composite_options {
    pub const NAME: usize = 0;
    pub const DECOMPOSITION_SUBGRAPH_INDEX: usize = 1;
    pub const COMPOSITE_ATTRIBUTES: usize = 2;
    pub const COMPOSITE_ATTRIBUTES_FORMAT: usize = 3;
    pub const VERSION: usize = 4;
}
