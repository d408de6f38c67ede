"""Videos: what people say below them, analysed once, with what each answer rests on."""
