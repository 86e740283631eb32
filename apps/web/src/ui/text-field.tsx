import { t } from '@lingui/core/macro'
import { type ComponentProps, type ComponentType, useState } from 'react'
import Eye from 'virtual:icon/eye'
import EyeOff from 'virtual:icon/eye-off'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import { controlStyles, Input } from './input.tsx'

type FieldLook = Omit<ComponentProps<typeof Field>, 'children' | 'className'>
type InputProps = Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'value'>

interface TextFieldProps extends FieldLook, InputProps {
  readonly control?: ComponentType<ComponentProps<'input'>>
  readonly className?: string
  readonly value: string
  readonly onChange: (text: string) => void
}

export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  return <TextField {...props} control={PasswordInput} />
}

export function TextField({ control: Control = Input, ...props }: TextFieldProps) {
  const { label, hint, error, note, optional, className, onChange, ...input } = props
  return (
    <Field {...{ label, hint, error, note, optional, className }}>
      {(wiring) => (
        <Control {...wiring} {...input} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

interface TextAreaFieldProps
  extends FieldLook, Omit<ComponentProps<'textarea'>, 'onChange' | 'className' | 'value'> {
  readonly className?: string
  readonly value: string
  readonly onChange: (text: string) => void
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, note, optional, className, onChange, ...area } = props
  return (
    <Field {...{ label, hint, error, note, optional, className }}>
      {(wiring) => (
        <TextArea {...wiring} {...area} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

/** Grows with its content in browsers that support it. */
function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      rows={rows}
      className={classNames(
        controlStyles,
        'h-auto! max-h-96 field-sizing-content resize-y py-2',
        // With field-sizing, `rows` sets no minimum height.
        rows > 3 ? 'min-h-32' : 'min-h-20',
        className,
      )}
    />
  )
}

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        spellCheck={false}
        {...props}
        type={isShown ? 'text' : 'password'}
        className="pe-11"
      />
      <button
        type="button"
        aria-label={isShown ? t`Hide password` : t`Show password`}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 end-0 grid w-10 place-items-center rounded-control text-muted transition-colors hover:text-ink"
      >
        {isShown ? (
          <EyeOff aria-hidden className="size-4" />
        ) : (
          <Eye aria-hidden className="size-4" />
        )}
      </button>
    </div>
  )
}
