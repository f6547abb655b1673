import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import css from './disclosure.module.css'

type DisclosureProps = {
  readonly label: ReactNode
  /** For a button that shows only an icon. */
  readonly name?: string
  readonly className?: string | undefined
  readonly align?: 'start' | 'end'
  readonly children: (close: () => void) => ReactNode
}

/** A button with a panel below it, which a click elsewhere or Escape closes. */
export function Disclosure({ label, name, className, align = 'start', children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (!isOpen) return
    const away = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
    }
    const onEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', away)
    document.addEventListener('focusin', away)
    document.addEventListener('keydown', onEscape)
    return () => {
      document.removeEventListener('pointerdown', away)
      document.removeEventListener('focusin', away)
      document.removeEventListener('keydown', onEscape)
    }
  }, [isOpen])

  return (
    <div className={css.box} ref={box}>
      <button
        type="button"
        ref={button}
        className={className}
        aria-label={name}
        title={name}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div id={id} className={css.panel} data-align={align}>
          {children(() => {
            setOpen(false)
            button.current?.focus()
          })}
        </div>
      )}
    </div>
  )
}
