/** The values that avatar.css draws a planet from. Angles are in degrees, the others in percent. */
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
 * A planet that is unique to a username, regardless of case.
 * @param hue the chosen hue; null for the one derived from the name
 */
export function avatarLook(username: string, hue: number | null): AvatarLook {
  // FNV-1a: a difference of one letter changes everything that is drawn.
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
