import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { focusFirst } from './focus-first.ts'
import { Mantine } from './mantine.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** A dialog above the page while mounted; returns the focus afterwards. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Mantine>
      <Modal ref={focusFirst} opened closeButtonProps={{ 'aria-label': t('action.close') }} {...props} />
    </Mantine>
  )
}
