import { QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { createQueries } from '../api/queries.ts'
import { Failure } from '../kit/Notice.tsx'
import { KeysScreen } from '../screens/keys/KeysScreen.tsx'
import { Missing } from '../screens/Missing.tsx'
import { NoCompany } from '../screens/NoCompany.tsx'
import { TagScreen } from '../screens/tags/TagScreen.tsx'
import { TagsScreen } from '../screens/tags/TagsScreen.tsx'
import { useTexts } from '../texts/texts.ts'
import { CompanyContext, pathIn, rememberCompany, useUsualCompany } from './company.tsx'
import { Shell } from './Shell.tsx'
import { LoggedIn, loggedInPath, Session, usePerson } from './session.tsx'

const queries = createQueries()

export function App() {
  const { language } = useTexts()
  return (
    <QueryClientProvider client={queries}>
      <I18nProvider locale={language}>
        <Router base="/portal">
          <Switch>
            <Route path={loggedInPath}>
              <LoggedIn />
            </Route>
            <Route>
              <Session>
                <Screens />
              </Session>
            </Route>
          </Switch>
        </Router>
      </I18nProvider>
    </QueryClientProvider>
  )
}

function Screens() {
  const usual = useUsualCompany()
  const [place] = useLocation()
  const companyId = /^\/c\/([^/]+)/.exec(place)?.[1]
  useEffect(() => {
    if (companyId !== undefined) rememberCompany(companyId)
  }, [companyId])
  return (
    <CompanyContext value={companyId}>
      <Shell>
        <Catch key={place}>
          <Switch>
            <Route path="/account/keys">
              <KeysScreen />
            </Route>
            <Route path="/">
              {usual === undefined ? <NoCompany /> : <Redirect to={pathIn(usual)} replace />}
            </Route>
            <Route path="/c/:companyId/*?">
              <CompanyScreens />
            </Route>
            <Route>
              <Missing />
            </Route>
          </Switch>
        </Catch>
      </Shell>
    </CompanyContext>
  )
}

function CompanyScreens() {
  const { memberships } = usePerson()
  const [place] = useLocation()
  const companyId = /^\/c\/([^/]+)/.exec(place)?.[1]
  if (!memberships.some((one) => one.companyId === companyId)) return <Missing />
  return (
    <Switch>
      <Route path="/c/:companyId">
        <Redirect to={pathIn(companyId!, '/tags/millcert')} replace />
      </Route>
      <Route path="/c/:companyId/tags/:family">
        {({ family }) => (isFamily(family) ? <TagsScreen key={family} family={family} /> : <Missing />)}
      </Route>
      <Route path="/c/:companyId/tags/:family/:tagId">
        {({ family, tagId }) =>
          isFamily(family) ? <TagScreen key={tagId} family={family} tagId={tagId} /> : <Missing />
        }
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  )
}

function isFamily(name: string): name is 'millcert' | 'order' {
  return name === 'millcert' || name === 'order'
}

/** A screen that fails leaves the frame in place. */
class Catch extends Component<{ readonly children: ReactNode }, { error: Error | undefined }> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children
  }
}
