import { useState } from 'react'
import { classNames } from './class-names.ts'

interface AvatarProps {
  username: string
  image: string | null
  className?: string
}

/** Decorative: the name stands beside it. The letter shows where there is no image, or it fails. */
export function Avatar({ username, image, className }: AvatarProps) {
  const [failedImage, setFailedImage] = useState<string>()
  const shape = classNames('size-7 shrink-0 rounded-full', className)
  if (image !== null && image !== failedImage) {
    return (
      <img
        src={image}
        alt=""
        onError={() => setFailedImage(image)}
        className={classNames('object-cover', shape)}
      />
    )
  }
  return (
    <span
      aria-hidden
      className={classNames(
        'grid place-items-center border border-accent/40 bg-accent-soft font-display text-xs font-semibold text-ink',
        shape,
      )}
    >
      {username.slice(0, 1).toUpperCase()}
    </span>
  )
}
