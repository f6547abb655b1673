import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import css from './disclosure.module.css'

type DisclosureProps = {
  readonly label: ReactNode
  /** The accessible name of a button that shows only an icon. */
  readonly name?: string
  readonly className?: string | undefined
  readonly align?: 'start' | 'end'
  readonly children: (close: () => void) => ReactNode
}

/** A button with a panel, closed by Escape or a click elsewhere. */
export function Disclosure({ label, name, className, align = 'start', children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  const close = () => setOpen(false)
  const closeToButton = () => {
    close()
    button.current?.focus()
  }
  useDismissal(isOpen, box, { onAway: close, onEscape: closeToButton })

  return (
    <div className={css.box} ref={box}>
      <Button
        ref={button}
        className={className}
        aria-label={name}
        title={name}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      {isOpen && (
        <div id={id} className={css.panel} data-align={align} data-disclosed>
          {children(closeToButton)}
        </div>
      )}
    </div>
  )
}

type Dismissal = { readonly onAway: () => void; readonly onEscape: () => void }

function useDismissal(isOpen: boolean, box: RefObject<HTMLElement | null>, dismissal: Dismissal): void {
  const now = useRef(dismissal)
  now.current = dismissal
  useEffect(() => {
    if (!isOpen) return
    const away = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) now.current.onAway()
    }
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') now.current.onEscape()
    }
    document.addEventListener('pointerdown', away)
    document.addEventListener('focusin', away)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', away)
      document.removeEventListener('focusin', away)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [isOpen, box])
}
