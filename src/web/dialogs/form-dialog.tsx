import type { ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import {
  type FormEvent,
  type KeyboardEvent,
  type PropsWithChildren,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { hasBegun } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from './dialog.tsx'
import css from './form-dialog.module.css'

type FormDialogProps = PropsWithChildren<{
  readonly title: string
  readonly submit: string
  readonly size?: ModalProps['size']
  /** Whether it stands at the side and leaves the page in use; on a phone it does not. */
  readonly isBeside?: boolean
  readonly isBusy: boolean
  /** Whether there is nothing yet that could be sent. */
  readonly isBlocked?: boolean
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
}>

const BESIDE = {
  size: 480,
  yOffset: 33,
  xOffset: 16,
  withOverlay: false,
  lockScroll: false,
  classNames: { inner: css.beside, content: css.content },
}

/** The dialogs that are open, the topmost last. */
const open: { close: () => void }[] = []

/** A form that is filled in above the page, the whole of a phone; its buttons are always in sight. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    submit,
    size,
    isBeside = false,
    isBusy,
    isBlocked = false,
    onSubmit,
    onClose,
    children,
  } = props
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 700px), (max-height: 520px)')
  const form = useRef<HTMLFormElement>(null)
  const isTouched = useRef(false)
  const isSent = useRef(false)
  isSent.current = isBusy
  useFocusAfter(isBusy, form)
  useBackButton(isBusy, onClose, isTouched)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    // A second click may be waiting behind the first, before the page has been drawn.
    if (isBlocked || isSent.current) return
    isSent.current = true
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Dialog
      onClose={onClose}
      size={size}
      fullScreen={isPhone ?? false}
      {...(isBeside && !isPhone && BESIDE)}
      title={title}
      // What has been typed is not lost by a slip of the mouse.
      closeOnClickOutside={false}
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (isEscape(event) && !isBusy) onClose()
      }}
      withCloseButton={!isBusy}
    >
      <form
        ref={form}
        data-beside={isBeside && !isPhone ? '' : undefined}
        onInput={() => {
          isTouched.current = true
        }}
        onSubmit={send}
      >
        <div className={css.fields}>{children}</div>
        <div className={css.buttons}>
          <Button onClick={onClose} disabled={isBusy}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={isBlocked}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The back button of a phone closes the topmost dialog, and leaves the page beneath; what has been typed is asked about. */
function useBackButton(isBusy: boolean, onClose: () => void, isTouched: RefObject<boolean>): void {
  const self = useRef<{ close: () => void }>({ close: onClose })
  self.current.close = () => {
    if (!isBusy) onClose()
  }
  useEffect(() => {
    const dialog = self.current
    open.push(dialog)
    return () => void open.splice(open.indexOf(dialog), 1)
  }, [])
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action === 'PUSH' || action === 'REPLACE') return false
      if (action === 'BACK' && hasBegun()) open.at(-1)?.close()
      return true
    },
    enableBeforeUnload: () => isTouched.current,
  })
}

/** The button that was pressed cannot keep the focus while it is busy; it, or the answer's own button, gets it back. */
function useFocusAfter(isBusy: boolean, form: RefObject<HTMLFormElement | null>): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy
    wasBusy.current = isBusy
    if (!isOver || document.activeElement !== document.body) return
    form.current?.querySelector<HTMLElement>('[role="alert"] button, button[type="submit"]')?.focus()
  }, [isBusy, form])
}

/** A dialog that was opened from this one is its child in React alone, and keeps its Escape to itself. */
function isEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false
  event.stopPropagation()
  return !isOpenPopover(event.target)
}

/** Escape closes a list or calendar first, if one is open. */
function isOpenPopover(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false
  const isDate = target.closest('[data-dates-input]') !== null
  return (
    target.closest('[aria-expanded="true"]') !== null ||
    (isDate && document.querySelector('[data-dates-dropdown]') !== null)
  )
}
