import { useState } from 'react'
import { useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Facts, Page, Section } from '../../kit/Page.tsx'
import { PresentSection } from '../../kit/PresentSection.tsx'
import { BlockMark } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RecordHistory } from '../tags/subjects/RecordHistory.tsx'
import { SubjectFindings } from '../tags/subjects/SubjectFindings.tsx'
import { SubjectRules } from '../tags/subjects/SubjectRules.tsx'
import { SubjectTags } from '../tags/subjects/SubjectTags.tsx'
import { Demands } from './Demands.tsx'
import { Dispatches } from './Dispatches.tsx'
import { Missing } from './Missing.tsx'
import { CorrectOrder } from './OrderForm.tsx'
import { Packs } from './Packs.tsx'
import { Progress } from './Progress.tsx'
import { RollUp } from './RollUp.tsx'
import { Trace } from './trace/Trace.tsx'

/** One order: what is missing before it is cleared, and the way from its lines to the heats. */
export function OrderScreen({ orderId }: { readonly orderId: string }) {
  const { t, date, dateTime } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [isCorrecting, setIsCorrecting] = useState(false)
  const { data, error, refetch } = useRecord('getOrder', { params: { companyId, orderId } })
  const trace = useRecord('getTraceability', { params: { companyId, orderId } })
  const back = { href: pathIn(companyId, '/orders'), text: t('orders') }
  // Wait for both answers: the second one would move what the person is about to press.
  if (!data || (!trace.data && !trace.error))
    return (
      <Page title={error ? t('notFound') : t('order')} back={back}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  const order = data.data
  const traced = trace.data?.data
  return (
    <Page
      title={order.orderNumber}
      back={back}
      marks={
        <>
          {traced && (
            <Mark tone={traced.cleared ? 'good' : 'warn'}>
              {t(traced.cleared ? 'cleared' : 'notCleared')}
            </Mark>
          )}
          <BlockMark findings={order.findings} noBlock="noBlockOnOrder" />
          {order.blocked && <Mark tone="bad">{t('blocked')}</Mark>}
        </>
      }
      actions={may('correctOrder') && <Button onPress={() => setIsCorrecting(true)}>{t('correct')}</Button>}
    >
      <SubjectFindings findings={order.findings ?? []} />
      <Facts
        facts={[
          { name: t('customer'), value: order.customer },
          { name: t('dueDate'), value: order.dueDate === null ? null : date(order.dueDate) },
          { name: t('executionClass'), value: order.executionClass },
          { name: t('requiredDocument'), value: order.requiredInspectionDocument },
          { name: t('progress'), value: <Progress lineItems={order.lineItems} /> },
          { name: t('registered'), value: dateTime(order.registeredAt) },
        ]}
      />
      {isCorrecting && <CorrectOrder order={order} onClose={() => setIsCorrecting(false)} />}
      <Demands order={order} />
      {!traced && trace.error && <Failure error={trace.error} />}
      {traced && (
        <Section title={t('missing')}>
          <Missing lines={traced.lineItems} />
        </Section>
      )}
      {traced && (
        <Section title={t('rollUp')}>
          <RollUp lineItems={order.lineItems} traced={traced} />
        </Section>
      )}
      {traced && (
        <Section title={t('traceability')}>
          <Trace lineItems={order.lineItems} traced={traced} />
        </Section>
      )}
      {traced && (
        <PresentSection title={t('dispatches')}>
          <Dispatches lineItems={order.lineItems} traced={traced} />
        </PresentSection>
      )}
      {traced && may('listOrderPacks') && (
        <PresentSection title={t('orderPacks')}>
          <Packs traced={traced} />
        </PresentSection>
      )}
      <SubjectTags family="order" subjectId={orderId} />
      <SubjectRules family="order" subjectId={orderId} />
      <Section title={t('timeline')}>
        <RecordHistory of="order" id={orderId} />
      </Section>
    </Page>
  )
}
