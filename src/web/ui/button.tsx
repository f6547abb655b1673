import type { ComponentProps, MouseEvent } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` is the purpose of a page or dialog; `remove` offers a `danger` action; `bare` fits rows and text. */
  readonly look?: 'plain' | 'primary' | 'chosen' | 'danger' | 'remove' | 'bare'
  readonly icon?: IconName
  /** Whether its action is in progress, so that it cannot be pressed again. */
  readonly isBusy?: boolean
}

export function Button({ look = 'plain', icon, isBusy, className, children, ...more }: ButtonProps) {
  const { onClick, 'aria-pressed': isPressed } = more
  const isOnce = isBusy !== undefined || isPressed !== undefined
  return (
    <button
      type="button"
      {...more}
      onClick={isOnce ? (event) => clickOnce(event, onClick) : onClick}
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

/**
 * Ignores the second click of a double click. It would revert a choice, or repeat an action that has already ended or whose
 * button is not disabled yet.
 */
function clickOnce(event: MouseEvent<HTMLButtonElement>, onClick: ButtonProps['onClick']): void {
  if (event.detail > 1) event.preventDefault()
  else onClick?.(event)
}
