import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Mantine } from './mantine.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** What is asked above the page. It is open for as long as it is there; then the focus goes back to where it was. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Mantine>
      <Modal opened closeButtonProps={{ 'aria-label': t('action.close') }} {...props} />
    </Mantine>
  )
}
