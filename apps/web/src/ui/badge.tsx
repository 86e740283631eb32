import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

const badgeStyles = cva(
  'inline-flex h-6 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium whitespace-nowrap text-ink',
  {
    variants: {
      tone: {
        neutral: 'border-line-strong bg-raised',
        accent: 'border-accent/40 bg-accent-soft',
        island: 'border-island/40 bg-island-soft',
        danger: 'border-danger/40 bg-danger-soft',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

type BadgeProps = ComponentProps<'span'> & VariantProps<typeof badgeStyles>

export function Badge({ tone, className, ...rest }: BadgeProps) {
  return <span {...rest} className={classNames(badgeStyles({ tone }), className)} />
}
