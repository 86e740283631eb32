import { useState } from 'react'
import { avatarLook } from './avatar-look.ts'
import { classNames } from './class-names.ts'

const sizes = {
  small: 'size-5 text-[0.625rem]',
  medium: 'size-7 text-xs',
  large: 'size-14 text-title',
} as const

interface AvatarProps {
  username: string
  image: string | null
  /** The planet's hue in degrees; null for the one derived from the username. */
  hue: number | null
  size?: keyof typeof sizes
}

/**
 * Decorative, because the name is beside it. Without an image, or if it fails to load, it shows a
 * planet with the name's first letter.
 */
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
