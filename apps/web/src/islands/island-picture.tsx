import type { IslandKind } from '@astropelago/contract/islands'
import { drawIsland, pictureHeight, pictureWidth } from '@astropelago/island-picture/island-picture'
import { memo } from 'react'
import { classNames } from '../ui/class-names.ts'

interface IslandPictureProps {
  picture: number
  kind: IslandKind
  className?: string
}

/** Decorative, because its name is beside it. */
export const IslandPicture = memo(function IslandPicture({
  picture,
  kind,
  className,
}: IslandPictureProps) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${pictureWidth} ${pictureHeight}`}
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames('block', className)}
    >
      {drawIsland(picture, kind).map(({ d, fill, stroke, strokeWidth }, index) => (
        // The same paths in the same order each time.
        // oxlint-disable-next-line react/no-array-index-key
        <path key={index} d={d} fill={fill} stroke={stroke} strokeWidth={strokeWidth} />
      ))}
    </svg>
  )
})
