//! What is in a .tflite file, and can it be trusted?
