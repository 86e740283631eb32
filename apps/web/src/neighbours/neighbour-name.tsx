import type { Neighbour } from '@astropelago/contract/neighbours'
import { classNames } from '../ui/class-names.ts'
import { neighbourColor } from './neighbour-colours.ts'

/** A neighbour's colour, as it is around its devices. */
export function NeighbourMark({ colour, className }: { colour: number; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('size-3 shrink-0 rounded-full border-2', className)}
      style={{ borderColor: neighbourColor(colour) }}
    />
  )
}

/** Colour alone is not enough, so the name is beside it. */
export function NeighbourName(props: {
  neighbour: Pick<Neighbour, 'name' | 'colour'>
  className?: string
}) {
  const { neighbour, className } = props
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-1.5', className)}>
      <NeighbourMark colour={neighbour.colour} />
      <bdi className="min-w-0 truncate">{neighbour.name}</bdi>
    </span>
  )
}
