import { type ComponentProps, type ReactNode, useId } from 'react'
import Check from 'virtual:icon/check'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: string
  hint?: ReactNode
}

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <label className="flex cursor-pointer items-start gap-x-3 rounded-mark has-disabled:cursor-default">
      <span className="relative mt-0.75 grid size-4 shrink-0 place-items-center">
        <input
          {...input}
          type="checkbox"
          aria-labelledby={`${id}-label`}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="peer size-4 appearance-none rounded-[0.25rem] border border-edge bg-ground transition-colors duration-150 checked:border-accent checked:bg-accent hover:border-muted checked:hover:border-accent disabled:opacity-60 forced-colors:appearance-auto"
        />
        <Check
          aria-hidden
          strokeWidth={3.5}
          className="pointer-events-none absolute hidden size-3 text-on-accent peer-checked:block forced-colors:hidden"
        />
      </span>
      <span className="flex min-w-0 flex-col gap-0.5">
        <span id={`${id}-label`} className="text-sm wrap-anywhere text-ink">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
