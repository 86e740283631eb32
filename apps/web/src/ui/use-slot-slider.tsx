import { useState } from 'react'

interface SlotSliderOptions {
  label: string
  /** The drawing has this many slots of the same width. */
  count: number
  textOf: (slot: number) => string | undefined
}

/**
 * Goes through the slots of a drawing by pointer, keyboard or screen reader. Render `over` into the drawing's
 * place, which has to be `relative`. `shown` is undefined while nobody looks at a single slot.
 */
export function useSlotSlider({ label, count, textOf }: SlotSliderOptions) {
  const [gone, setGone] = useState(count - 1)
  const [pointed, setPointed] = useState<number>()
  const [hasFocus, setHasFocus] = useState(false)
  const shown = pointed ?? (hasFocus ? gone : undefined)
  const over = (
    <>
      {shown !== undefined && (
        <span
          aria-hidden
          className="pointer-events-none absolute -inset-y-1 rounded-sm bg-ink/15"
          style={{ left: `${(shown / count) * 100}%`, width: `${100 / count}%` }}
        />
      )}
      {/* A slider works with the keyboard, screen readers and touch. */}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={textOf(gone)}
        min={0}
        max={count - 1}
        value={gone}
        onChange={({ target }) => setGone(target.valueAsNumber)}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onPointerMove={({ nativeEvent: { offsetX }, currentTarget }) => {
          const slot = Math.floor((offsetX / currentTarget.clientWidth) * count)
          setPointed(Math.max(0, Math.min(count - 1, slot)))
        }}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={() => setPointed(undefined)}
        className="absolute inset-0 h-full w-full cursor-crosshair touch-pan-y appearance-none opacity-0 [&::-moz-range-thumb]:w-px [&::-webkit-slider-thumb]:w-px [&::-webkit-slider-thumb]:appearance-none"
      />
    </>
  )
  return { shown, over }
}
