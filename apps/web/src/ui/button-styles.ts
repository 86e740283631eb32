import { cva, type VariantProps } from 'class-variance-authority'

/** Also for links that look like a button. */
export const buttonStyles = cva(
  [
    'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium no-underline',
    'transition-[background-color,border-color,color,box-shadow] duration-150',
    'disabled:pointer-events-none disabled:opacity-60',
    'aria-disabled:cursor-default aria-disabled:opacity-60',
    "[&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        default: 'bg-accent text-on-accent hover:bg-accent-strong hover:shadow-glow',
        destructive: 'bg-danger-fill text-on-danger hover:bg-danger-fill-strong',
        outline: 'border border-edge bg-panel text-ink hover:border-muted hover:bg-raised',
        secondary: 'bg-hover text-ink hover:bg-line-strong',
        ghost: 'text-ink hover:bg-hover',
        link: 'text-accent underline decoration-transparent underline-offset-4 hover:decoration-current',
      },
      size: {
        default: 'h-10 px-4 text-sm',
        sm: 'h-8 px-3 text-sm',
        lg: 'h-12 px-6 text-base',
        icon: 'size-10',
      },
    },
    compoundVariants: [
      { variant: 'link', class: 'h-auto! shrink! px-0! text-start whitespace-normal!' },
    ],
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

export type ButtonStyle = VariantProps<typeof buttonStyles>

export const textLinkStyles =
  'text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current'
