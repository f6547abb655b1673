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

/** The greatest distance between the two taps of a double tap, in pixels. Browsers also count taps at neighbouring buttons. */
const MAX_SLIP = 24

let last = { clientX: 0, clientY: 0 }

/**
 * Ignores the second click of a double click. It would revert a choice, or repeat an action that has already ended or whose
 * button is not disabled yet.
 */
function clickOnce(event: MouseEvent<HTMLButtonElement>, onClick: ButtonProps['onClick']): void {
  const { clientX, clientY } = event
  const isNear = Math.hypot(clientX - last.clientX, clientY - last.clientY) < MAX_SLIP
  last = { clientX, clientY }
  if (event.detail > 1 && isNear) event.preventDefault()
  else onClick?.(event)
}
