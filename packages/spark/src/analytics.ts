/** Does nothing. The original platform counted uses with it. */
export const track: (use: string) => void = () => {}
