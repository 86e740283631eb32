import { useId, useState } from 'react'
import { isMotionWelcome } from '../../lib/motion.ts'
import { classNames } from '../../ui/class-names.ts'

const inPlace = 'origin-center [transform-box:fill-box]'

/** A globe with one device in its centre. Decorative: the text beside it says the same. */
export function NewLight({ isNew }: { isNew: boolean }) {
  const globe = useId()
  const [isMoving] = useState(() => isNew && isMotionWelcome())
  return (
    <svg aria-hidden viewBox="0 0 120 120" fill="none" className="size-24 shrink-0 sm:size-28">
      <clipPath id={globe}>
        <circle cx="60" cy="60" r="46" />
      </clipPath>
      <circle cx="60" cy="60" r="46" className="fill-ground stroke-accent/50" />
      <g clipPath={`url(#${globe})`} strokeLinecap="round">
        <path
          d={land}
          strokeWidth="3.5"
          className={classNames('stroke-edge', isMoving && 'animate-turn')}
        />
        <path d="M14 60h92M21 36q39 8 78 0M21 84q39-8 78 0" className="stroke-line-strong" />
      </g>
      {isMoving && (
        <g className="stroke-accent" strokeWidth="1.5">
          <circle cx="60" cy="60" r="20" className={classNames(inPlace, 'animate-ripple')} />
          <circle
            cx="60"
            cy="60"
            r="20"
            className={classNames(inPlace, 'animate-ripple [animation-delay:1.5s]')}
          />
        </g>
      )}
      <g className={classNames(inPlace, isMoving && 'animate-kindle')}>
        <circle cx="60" cy="60" r="13" className="fill-online/20" />
        <circle cx="60" cy="60" r="5" className="fill-online" />
        <path
          d="M60 40v-7M60 87v-7M40 60h-7M87 60h-7M46 46l-4-4M78 78l-4-4M46 74l-4 4M78 42l-4 4"
          strokeWidth="1.5"
          strokeLinecap="round"
          className="stroke-online/70"
        />
      </g>
    </svg>
  )
}

/** Land as dots on more than the visible side, so that the globe can turn. */
const land = landDots()

function landDots(): string {
  let path = ''
  for (let y = 20; y <= 100; y += 7) {
    for (let x = 10; x <= 180; x += 7) {
      const height = Math.sin(x / 15 + y / 26) + Math.cos(x / 28 - y / 12)
      if (height > 0.3) path += `M${x} ${y}h0`
    }
  }
  return path
}
