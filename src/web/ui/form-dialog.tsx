import { Button, Modal, type ModalProps, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import css from './form-dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

type FormDialogProps = PropsWithChildren<{
  readonly title: string
  readonly submit: string
  readonly size?: ModalProps['size']
  readonly isBusy: boolean
  /** Whether there is nothing yet that could be sent. */
  readonly isBlocked?: boolean
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
}>

/** A form that is filled in above the page, the whole of a phone; its buttons are always in sight. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, size, isBusy, isBlocked = false, onSubmit, onClose, children } = props
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 700px)')
  // The back button of a phone closes the dialog, and leaves the page beneath.
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      if (!isBusy) onClose()
      return true
    },
    enableBeforeUnload: false,
  })
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onClose}
      size={size}
      fullScreen={isPhone ?? false}
      title={title}
      // What has been typed is not lost by a slip of the mouse.
      closeOnClickOutside={false}
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A dialog that was opened from this one is its child in React alone.
        event.stopPropagation()
        if (!isBusy && !isOpenPopover(event.target)) onClose()
      }}
      withCloseButton={!isBusy}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (!isBlocked && !isBusy) onSubmit(new FormData(event.currentTarget))
        }}
      >
        <Stack>{children}</Stack>
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isBlocked}>
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  )
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
