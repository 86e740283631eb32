import { Trans } from '@lingui/react/macro'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'

interface FormActionsProps extends Pick<
  ComponentProps<typeof Button>,
  'size' | 'variant' | 'disabled'
> {
  readonly form: { readonly failure: string | undefined; readonly isBusy: boolean }
  /** The label of the submit button. */
  readonly submit: string
  /** Its label while the form is being sent. */
  readonly busy?: string | undefined
  readonly onCancel?: () => void
  readonly cancelVariant?: ComponentProps<typeof Button>['variant']
  /** For questions: the harmless answer comes first. */
  readonly isCancelFirst?: boolean
  /** More buttons, after the others. */
  readonly children?: ReactNode
}

/** The end of a form: what is wrong with it as a whole, and its buttons. */
export function FormActions(props: FormActionsProps) {
  const { form, submit, busy, onCancel, cancelVariant = 'outline', size } = props
  const { isCancelFirst = false, children, variant, disabled = false } = props
  const cancel = onCancel && (
    <Button variant={cancelVariant} size={size} onClick={onCancel}>
      <Trans>Cancel</Trans>
    </Button>
  )
  return (
    <>
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        {isCancelFirst && cancel}
        <Button type="submit" {...{ size, variant, disabled }} busy={form.isBusy} busyLabel={busy}>
          {submit}
        </Button>
        {!isCancelFirst && cancel}
        {children}
      </div>
    </>
  )
}
