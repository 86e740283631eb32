/** Called where the platform counted uses. Nothing is counted here. */
export const track: (use: string) => void = () => {}
