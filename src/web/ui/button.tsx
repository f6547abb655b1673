import type { ComponentProps } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` is the purpose of a page or dialog; `remove` offers a `danger` action; `bare` fits rows and text. */
  readonly look?: 'plain' | 'primary' | 'chosen' | 'danger' | 'remove' | 'bare'
  readonly icon?: IconName
  /** Whether its action is in progress, so that it cannot be pressed again. */
  readonly isBusy?: boolean
}

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
