import type { ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type FormEvent,
  type KeyboardEvent,
  type PropsWithChildren,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'
import { Discarding } from './discarding.tsx'
import css from './form-dialog.module.css'
import { useLeaving } from './use-leaving.ts'

type FormDialogProps = PropsWithChildren<{
  readonly title: string
  readonly submit: string
  /** The text of the button that closes the form without sending; "Cancel" by default. */
  readonly keep?: string
  /** Another button beside the submit button. */
  readonly other?: ReactNode
  readonly size?: ModalProps['size']
  /** Whether the form is at the side and the page stays usable; not on phones. */
  readonly isBeside?: boolean
  readonly isBusy: boolean
  /** Whether there is nothing to send yet. */
  readonly isBlocked?: boolean
  /** Whether something other than typed text has been filled in. */
  readonly isFilled?: boolean
  /** Whether typed text would be lost; if not, `isFilled` alone shows whether there is input to lose. */
  readonly hasText?: boolean
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

/** A form above the page, full-screen on phones; its buttons are always visible. */
export function FormDialog(props: FormDialogProps) {
  const { title, size, isBeside = false, isBusy, isBlocked = false, isFilled = false, hasText = true } = props
  const isPhone = useMediaQuery('(max-width: 700px), (max-height: 520px)')
  const isAtSide = isBeside && !isPhone
  const form = useRef<HTMLFormElement>(null)
  const isTyped = useRef(false)
  const send = useSendOnce(isBusy, isBlocked, props.onSubmit)
  useFocusAfter(isBusy, form)
  const { isAsking, leave, stay } = useLeaving({
    box: form,
    isBeside: isAtSide,
    isBusy,
    isFilled: () => (hasText && isTyped.current) || isFilled,
    onClose: props.onClose,
  })
  return (
    <>
      <Dialog
        onClose={leave}
        size={size}
        yOffset="2dvh"
        fullScreen={isPhone ?? false}
        {...(isAtSide && BESIDE)}
        title={title}
        // An accidental click must not lose the typed text.
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={!isBusy}
      >
        <form
          ref={form}
          data-beside={isAtSide ? '' : undefined}
          onInput={({ currentTarget, target }) => {
            // Input events of a dialog above this one bubble here, too.
            if (target instanceof Node && currentTarget.contains(target)) isTyped.current = true
          }}
          onKeyDown={isBlocked ? leadToMissing : undefined}
          onSubmit={send}
        >
          <div className={css.fields}>{props.children}</div>
          <Buttons {...props} isBlocked={isBlocked} />
        </form>
      </Dialog>
      {isAsking && <Discarding onStay={stay} onDiscard={props.onClose} />}
    </>
  )
}

type ButtonsProps = Pick<FormDialogProps, 'submit' | 'keep' | 'other' | 'isBusy' | 'isBlocked' | 'onClose'>

function Buttons({ submit, keep, other, isBusy, isBlocked, onClose }: ButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={css.buttons}>
      <Button onClick={onClose} disabled={isBusy}>
        {keep ?? t('action.cancel')}
      </Button>
      {other}
      <Button type="submit" look="primary" isBusy={isBusy} disabled={isBlocked}>
        {submit}
      </Button>
    </div>
  )
}

/** Focuses the first invalid or missing field on Enter in an incomplete form. */
function leadToMissing({ key, target, currentTarget }: KeyboardEvent<HTMLFormElement>): void {
  // Key events of a dialog above this one bubble here, too.
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || !currentTarget.contains(target)) return
  const inputs = Array.from(currentTarget.querySelectorAll('input'))
  inputs
    .find((input) => !input.validity.valid || (input.ariaRequired === 'true' && input.value === ''))
    ?.focus()
}

/** Returns the submit handler, which ignores a second click before the next render. */
function useSendOnce(isBusy: boolean, isBlocked: boolean, onSubmit: FormDialogProps['onSubmit']) {
  const isSent = useRef(false)
  isSent.current = isBusy
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    if (isBlocked || isSent.current) return
    isSent.current = true
    onSubmit(new FormData(event.currentTarget))
  }
}

/** Restores the focus that a busy button lost: to the button of an error message, or to the submit button. */
function useFocusAfter(isBusy: boolean, form: RefObject<HTMLFormElement | null>): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy
    wasBusy.current = isBusy
    if (!isOver || document.activeElement !== document.body) return
    form.current?.querySelector<HTMLElement>('[role="alert"] button, button[type="submit"]')?.focus()
  }, [isBusy, form])
}
