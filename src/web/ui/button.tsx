import type { ComponentProps } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` does what the page or dialog is for; `remove` offers what `danger` does; `bare` stands in a row or text. */
  readonly look?: 'plain' | 'primary' | 'chosen' | 'danger' | 'remove' | 'bare'
  readonly icon?: IconName
  /** Whether what it does is under way: until then it cannot be pressed again. */
  readonly isBusy?: boolean
}

/** The button of pages and dialogs alike. */
export function Button({ look = 'plain', icon, isBusy = false, className, children, ...more }: ButtonProps) {
  return (
    <button
      type="button"
      {...more}
      className={className === undefined ? css.button : `${css.button} ${className}`}
      data-look={look}
      aria-busy={isBusy || undefined}
      disabled={isBusy || more.disabled}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
