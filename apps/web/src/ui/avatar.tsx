import { useState } from 'react'
import { classNames } from './class-names.ts'

interface AvatarProps {
  username: string
  image: string | null
  large?: boolean
}

/** Decorative: the name stands beside it. The letter shows where there is no image, or it fails. */
export function Avatar({ username, image, large = false }: AvatarProps) {
  const [failedImage, setFailedImage] = useState<string>()
  const shape = classNames('shrink-0 rounded-full', large ? 'size-14 text-title' : 'size-7 text-xs')
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
        'grid place-items-center border border-accent/40 bg-accent-soft font-semibold text-ink',
        shape,
      )}
    >
      {username.slice(0, 1).toUpperCase()}
    </span>
  )
}
