import { useState } from 'react'
import { classNames } from './class-names.ts'

const sizes = {
  small: 'size-5 text-[0.625rem]',
  medium: 'size-7 text-xs',
  large: 'size-14 text-title',
} as const

interface AvatarProps {
  username: string
  image: string | null
  /** In degrees; null for the one derived from the username. */
  hue: number | null
  size?: keyof typeof sizes
}

/** Decorative, because the name is beside it. */
export function Avatar({ username, image, hue, size = 'medium' }: AvatarProps) {
  const [failedImage, setFailedImage] = useState<string>()
  const shape = classNames('shrink-0 rounded-full', sizes[size])
  if (image !== null && image !== failedImage) {
    return (
      <img
        src={image}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setFailedImage(image)}
        className={classNames('object-cover', shape)}
      />
    )
  }
  return (
    <span
      aria-hidden
      style={avatarLook(username, hue)}
      className={classNames('avatar grid place-items-center font-semibold text-ink', shape)}
    >
      {username.slice(0, 1).toUpperCase()}
    </span>
  )
}

/** For avatar.css. Angles are in degrees, the others in percent. */
interface AvatarLook {
  readonly '--avatar-hue': number
  readonly '--avatar-turn': `${number}deg`
  readonly '--avatar-band': `${number}%`
  readonly '--avatar-storm': `${number}%`
}

declare module 'react' {
  interface CSSProperties extends Partial<AvatarLook> {}
}

/** A planet that is unique to a username, regardless of case. */
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
