declare const ASTROPELAGO_LANGUAGE: import('@astropelago/contract/languages').Language
