/** For names, codes and addresses, which the browser must neither fill in, capitalize nor correct. */
export const verbatimInput = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
