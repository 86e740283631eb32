/** What an avatar's planet is drawn with (avatar.css). Angles in degrees, the others in percent. */
export interface AvatarLook {
  readonly '--avatar-hue': number
  readonly '--avatar-turn': `${number}deg`
  readonly '--avatar-band': `${number}%`
  readonly '--avatar-storm': `${number}%`
}

declare module 'react' {
  interface CSSProperties extends Partial<AvatarLook> {}
}

/**
 * Each username has a planet of its own, whatever its case.
 * @param hue the one that was chosen; null for the one that the name gives
 */
export function avatarLook(username: string, hue: number | null): AvatarLook {
  // FNV-1a: names that differ in one letter differ in all that is drawn.
  let hash = 0x811c9dc5
  for (const character of username.toLowerCase()) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  const part = (divisor: number, size: number) => Math.floor(hash / divisor) % size
  return {
    '--avatar-hue': hue ?? part(1, 360),
    '--avatar-turn': `${part(360, 360)}deg`,
    '--avatar-band': `${part(7919, 30)}%`,
    '--avatar-storm': `${20 + part(104_729, 60)}%`,
  }
}
