import type { Choice } from './template-words.ts'

export const tileStyles =
  'group flex h-full w-full flex-col overflow-hidden rounded-card border border-line bg-panel/85 text-start no-underline transition-colors hover:border-edge'

/** The content of a button or a link that chooses something with a picture. */
export function ChoiceTile({ choice }: { choice: Choice }) {
  const { name, about, picture } = choice
  return (
    <>
      <ChoicePicture
        picture={picture}
        className="aspect-8/5 w-full transition-transform duration-300 motion-safe:group-hover:scale-105"
      />
      <span className="flex flex-col gap-0.5 p-3 sm:p-4">
        <span className="font-display text-base font-semibold text-ink">{name}</span>{' '}
        <span className="text-xs text-muted sm:text-sm">{about}</span>
      </span>
    </>
  )
}

/** Decorative, because the name is beside it. */
export function ChoicePicture({ picture, className }: { picture: string; className: string }) {
  return (
    <span className="block shrink-0 self-stretch overflow-hidden">
      <img src={picture} alt="" width={160} height={100} className={`object-cover ${className}`} />
    </span>
  )
}
