/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no element is a combobox whose list holds more than text */
import { Trans } from '@lingui/react/macro'
import {
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Input } from './input.tsx'
import { LiveRegion } from './live-region.tsx'

interface ComboboxProps<Option> extends Omit<
  ComponentProps<'input'>,
  'value' | 'onChange' | 'list'
> {
  text: string
  onType: (text: string) => void
  options: readonly Option[]
  keyOf: (option: Option) => string
  optionContent: ComponentType<{ option: Option }>
  onPick: (option: Option) => void
  listName: string
  /** The number of options, or why there are none. */
  message: string
  onRetry?: (() => void) | undefined
  /** The focus has left the field and the list. */
  onLeave?: () => void
}

export function Combobox<Option>({
  text,
  onType,
  options,
  keyOf,
  optionContent: OptionContent,
  onPick,
  listName,
  message,
  onRetry,
  onLeave,
  ...input
}: ComboboxProps<Option>) {
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)

  const isShown = isOpen && text.trim() !== ''
  const hasList = isShown && options.length > 0
  const active = hasList ? options[activeIndex] : undefined
  const optionId = (index: number) => `${listId}-${index}`

  const pick = (option: Option) => {
    setIsOpen(false)
    onPick(option)
  }
  const move = (step: number) => {
    if (!hasList) setIsOpen(true)
    else setActiveIndex((activeIndex + step + options.length) % options.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Escape' && isShown) setIsOpen(false)
    else if (event.key === 'Enter' && isShown) {
      // Enter does not submit the form while suggestions are open.
      if (active !== undefined) pick(active)
    } else return
    event.preventDefault()
  }

  return (
    <div
      ref={box}
      className="relative"
      onBlur={({ relatedTarget }) => {
        if (box.current?.contains(relatedTarget)) return
        setIsOpen(false)
        onLeave?.()
      }}
    >
      <Input
        {...input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? listId : undefined}
        aria-activedescendant={active && optionId(activeIndex)}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setIsOpen(true)
          setActiveIndex(0)
          onType(target.value)
        }}
      />
      {isShown && (
        <div className="absolute inset-x-0 top-full z-20 mt-0.5 overflow-hidden rounded-control border border-line-strong bg-raised shadow-raised">
          {hasList ? (
            <div
              id={listId}
              role="listbox"
              aria-label={listName}
              className="max-h-92 overflow-y-auto"
            >
              {options.map((option, index) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the focus stays in the field, which hears the keys
                <div
                  key={keyOf(option)}
                  id={optionId(index)}
                  role="option"
                  aria-selected={index === activeIndex}
                  onMouseDown={(event) => event.preventDefault()}
                  onPointerMove={() => setActiveIndex(index)}
                  onClick={() => pick(option)}
                  className={classNames(
                    'flex min-h-11 cursor-pointer items-center gap-3 border-s-2 px-3 py-1.5 text-sm',
                    index === activeIndex ? 'border-accent bg-hover' : 'border-transparent',
                  )}
                >
                  <OptionContent option={option} />
                </div>
              ))}
            </div>
          ) : (
            <p className="flex flex-wrap items-center gap-x-3 px-3.5 py-2.5 text-sm text-muted">
              <span>{message}</span>
              {onRetry && (
                <Button variant="link" size="sm" onClick={onRetry}>
                  <Trans>Try again</Trans>
                </Button>
              )}
            </p>
          )}
        </div>
      )}
      <LiveRegion>{isShown ? message : ''}</LiveRegion>
    </div>
  )
}
