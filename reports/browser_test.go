//go:build browser

package reports_test

// These specs open the page in a real Chromium, as a reader does:
//
//	scripts/install-chromium.sh && go test -tags browser ./reports
//
// CONFORM_CHROMIUM names another browser, CONFORM_SCREENSHOTS a folder that
// receives pictures to look at, CONFORM_PAGE_REPORT a JSON report to measure in
// place of the large one that the test makes.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpemu "github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	cdpnet "github.com/chromedp/cdproto/network"
	cdpperf "github.com/chromedp/cdproto/performance"
	cdprun "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// tab is one page in the browser, with what it complained about and asked for.
type tab struct {
	ctx      context.Context
	file     string
	errors   []string
	requests []string
}

func chromium() string {
	if path := os.Getenv("CONFORM_CHROMIUM"); path != "" {
		return path
	}
	return "/usr/bin/chromium"
}

func openPage(r *verdict.Report, fragment string) *tab {
	GinkgoHelper()
	if _, err := os.Stat(chromium()); err != nil {
		Fail("no browser: " + err.Error() + "; scripts/install-chromium.sh installs one")
	}
	dir := GinkgoT().TempDir()
	t := &tab{file: filepath.Join(dir, "report.html")}
	Expect(os.WriteFile(t.file, write("html", r, reports.Options{}), 0o644)).To(Succeed())
	allocator, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(chromium()), chromedp.UserDataDir(filepath.Join(dir, "profile")), chromedp.WindowSize(1440, 900),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	DeferCleanup(cancel)
	timed, cancelTime := context.WithTimeout(allocator, 5*time.Minute)
	DeferCleanup(cancelTime)
	ctx, cancelTab := chromedp.NewContext(timed)
	DeferCleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancelTab()
	})
	t.ctx = ctx
	Expect(chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *cdprun.EventExceptionThrown:
			t.errors = append(t.errors, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *cdprun.EventConsoleAPICalled:
			if string(e.Type) == "error" || string(e.Type) == "warning" {
				t.errors = append(t.errors, fmt.Sprint(e.Type))
			}
		case *cdplog.EventEntryAdded:
			t.errors = append(t.errors, e.Entry.Text)
		case *cdpnet.EventRequestWillBeSent:
			t.requests = append(t.requests, e.Request.URL)
		}
	})).To(Succeed())
	// Thread time: what the page costs, whatever else the machine does.
	send(t, cdpperf.Enable, cdpperf.EnableParams{TimeDomain: cdpperf.EnableTimeDomainThreadTicks})
	t.do(chromedp.Navigate("file://"+t.file+fragment), ready)
	return t
}

// ready waits until the page says that it is complete.
var ready = chromedp.WaitReady(chromedp.CSS(`body[data-ready]`))

func (t *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	GinkgoHelper()
	Expect(chromedp.Do(t.ctx, actions...)).To(Succeed())
}

// send sends a command of the protocol.
func send[P, R any](t *tab, command cdp.Command[P, R], params P) R {
	GinkgoHelper()
	out, err := chromedp.Call(t.ctx, command, params)
	Expect(err).NotTo(HaveOccurred())
	return out
}

func (t *tab) click(selector string) {
	GinkgoHelper()
	t.do(chromedp.Click(chromedp.CSS(selector)))
	t.settle()
}

// eval runs script and decodes its value.
func eval[T any](t *tab, script string) T {
	GinkgoHelper()
	out, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred())
	return out
}

func (t *tab) text(selector string) string {
	GinkgoHelper()
	return eval[string](t, `document.querySelector(`+quote(selector)+`).innerText`)
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// settled lets timers and frames run out.
const settled = `new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 200))`

func (t *tab) settle() { GinkgoHelper(); eval[bool](t, settled) }

func (t *tab) press(keys ...string) {
	GinkgoHelper()
	for _, k := range keys {
		t.do(chromedp.KeyEvent(k))
	}
	t.settle()
}

func (t *tab) choose(id, value string) {
	GinkgoHelper()
	eval[bool](t, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %s; e.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`, id, quote(value)))
	t.settle()
}

func (t *tab) picture(name string) {
	GinkgoHelper()
	dir := os.Getenv("CONFORM_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)).To(Succeed())
}

var _ = Describe("the page in a browser", Label("browser"), func() {
	var t *tab

	AfterEach(func() {
		if t == nil {
			return
		}
		Expect(t.errors).To(BeEmpty(), "the browser's console")
		for _, address := range t.requests {
			Expect(address).To(Or(HavePrefix("file://"+t.file), HavePrefix("data:")), "the page asks for nothing")
		}
		t = nil
	})

	It("opens with a headline, the counts and the matrix", func() {
		r := pictured()
		t = openPage(r, "")
		Expect(t.text("#headline")).To(ContainSubstring("break"))
		Expect(eval[int](t, `document.querySelectorAll("#heads .head").length`)).To(Equal(len(r.Hosts)))
		Expect(t.text("#counts")).To(ContainSubstring(fmt.Sprint(r.Summary.Breaks)))
		t.picture("open")
	})

	It("counts tools of one name once, and links to each of them", func() {
		r := grid(map[string]string{"twin": "bw", "other": "ww"})
		for _, c := range r.Cells {
			if c.Tool == "twin" {
				r.Cells = append(r.Cells, c)
			}
		}
		r.Summary = verdict.Count(r.Cells)
		t = openPage(r, "#tool=twin&nth=1&host=a")
		Expect(t.text("#headline")).To(Equal("1 of 2 tools breaks in at least one host."))
		Expect(t.text("#meta")).To(ContainSubstring("2 tools in 2 hosts"))
		Expect(t.text("#detail h2")).To(ContainSubstring("twin (no. 2 of this name)"))
		Expect(eval[string](t, `location.hash`)).To(Equal("#tool=twin&nth=1&host=a"))
	})

	It("filters by verdict, stage, kind of host, host and words", func() {
		t = openPage(pictured(), "")
		all := eval[int](t, `document.querySelectorAll(".row").length`)
		t.click(`.count.v1`)
		Expect(eval[int](t, `document.querySelectorAll(".row").length`)).To(BeNumerically("<", all))
		Expect(eval[int](t, `document.querySelectorAll(".cell:not(.faded):not(.v1)").length`)).To(BeZero(), "all others fade")
		Expect(eval[string](t, `document.querySelector(".count.v1").getAttribute("aria-pressed")`)).To(Equal("true"))
		t.picture("filter")
		t.click(`#clear`)
		Expect(eval[int](t, `document.querySelectorAll(".row").length`)).To(Equal(all))
		t.choose("group", "kind:spec")
		Expect(t.text("#matched")).To(ContainSubstring("1 host"))
		t.choose("group", "all")
		t.choose("hostname", "beta")
		Expect(t.text("#matched")).To(ContainSubstring("1 host"))
		t.choose("hostname", "")
		t.choose("find", "depot")
		Expect(eval[int](t, `document.querySelectorAll(".row").length`)).To(Equal(1))
		t.choose("find", "boolean schema is false")
		Expect(eval[int](t, `[...document.querySelectorAll(".name")].filter((n) => n.innerText === "hauler_status").length`)).To(Equal(1), "a host's words are found")
		t.choose("find", "no such thing anywhere")
		Expect(eval[int](t, `document.querySelectorAll(".row").length`)).To(BeZero())
	})

	It("opens a cell: the words, the place in the schema beside the data, the offer, evidence and fix", func() {
		t = openPage(pictured(), "#tool=hauler_status&host=alpha-ide@3.1.4")
		detail := t.text("#detail")
		for _, part := range []string{"hauler_status", "breaks at result", "boolean schema is false", "/outputSchema/properties/track/items", "observed", "2026-11-28", "Fix", "As the model gets it"} {
			Expect(detail).To(ContainSubstring(part))
		}
		Expect(eval[int](t, `document.querySelectorAll("#detail .panel .hit").length`)).To(BeNumerically(">=", 2), "marked on both sides")
		Expect(t.text("#detail .panel .struck")).To(ContainSubstring("items"))
		Expect(eval[int](t, `document.querySelectorAll("#detail .line.lost").length`)).To(BeNumerically(">", 0), "what the model does not get")
		Expect(eval[string](t, `document.activeElement.id`)).To(Equal("detail"))
		t.picture("cell")
	})

	It("links to a cell: the address names it and opens it after a reload", func() {
		t = openPage(pictured(), "")
		eval[bool](t, `(() => { [...document.querySelectorAll(".row")].find((r) => r.firstChild.textContent === "hauler_status").querySelector("[data-c='1']").click(); return true; })()`)
		t.settle()
		link := eval[string](t, `location.href`)
		Expect(link).To(ContainSubstring("#tool=hauler_status&host="))
		t.click(`#detail .copy`)
		Expect(t.text("#detail .copy")).To(ContainSubstring("Copied"))
		t.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link), ready)
		Expect(t.text("#detail h2")).To(ContainSubstring("hauler_status"))
		Expect(eval[string](t, `location.href`)).To(Equal(link))
		t.requests = nil // about:blank and the link itself
	})

	It("says so when a link names what is not there", func() {
		t = openPage(pictured(), "#tool=gone&host=alpha-ide")
		Expect(t.text("#matched")).To(ContainSubstring("does not have"))
	})

	It("is used by keys alone", func() {
		t = openPage(pictured(), "")
		t.press("/")
		Expect(eval[string](t, `document.activeElement.id`)).To(Equal("find"))
		eval[bool](t, `(() => { document.getElementById("grid").focus(); return true; })()`)
		t.press(kb.Home, kb.ArrowDown, kb.ArrowRight)
		active := `document.getElementById(document.getElementById("grid").getAttribute("aria-activedescendant"))`
		Expect(eval[string](t, active+`.id`)).To(Equal("c-1-1"))
		Expect(eval[string](t, active+`.getAttribute("aria-label")`)).To(ContainSubstring(":"))
		t.press(kb.Enter)
		Expect(eval[bool](t, `document.getElementById("detail").hidden`)).To(BeFalse())
		t.press(kb.Escape)
		Expect(eval[bool](t, `document.getElementById("detail").hidden`)).To(BeTrue())
		Expect(eval[string](t, `document.activeElement.id`)).To(Equal("grid"), "focus comes back")
		t.press(kb.ArrowUp, kb.ArrowUp, kb.Enter)
		Expect(t.text("#detail")).To(ContainSubstring("What the table models"), "the head of a column opens the host")
		t.press(kb.Escape, kb.ArrowDown, kb.Home, kb.ArrowLeft, kb.Enter)
		Expect(t.text("#detail")).To(ContainSubstring("in all hosts"), "the head of a row opens the tool")
		t.press(kb.Escape)
		eval[bool](t, `(() => { document.getElementById("tab-matrix").focus(); return true; })()`)
		t.press(kb.ArrowRight)
		Expect(eval[bool](t, `document.getElementById("problems").hidden`)).To(BeFalse())
		t.picture("problems")
		t.press(kb.ArrowRight, kb.ArrowRight)
		Expect(t.text("#help")).To(ContainSubstring("How to read this"))
		t.picture("help")
	})

	DescribeTable("is readable for everybody", func(scheme, fragment string) {
		t = openPage(pictured(), fragment)
		send(t, cdpemu.SetEmulatedMedia, cdpemu.SetEmulatedMediaParams{Features: []*cdpemu.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		t.settle()
		t.picture(scheme + strings.ReplaceAll(fragment, "#", "-")[:min(len(fragment), 5)])
		t.accessible()
		for _, name := range []string{"problems", "advice", "help"} {
			eval[bool](t, fmt.Sprintf(`(() => { document.getElementById("tab-%s").click(); return true; })()`, name))
			t.accessible()
		}
		background := eval[string](t, `getComputedStyle(document.body).backgroundColor`)
		if scheme == "dark" {
			Expect(background).To(Equal("rgb(20, 24, 28)"))
		} else {
			Expect(background).To(Equal("rgb(251, 250, 247)"))
		}
	},
		Entry("light", "light", ""), Entry("light, a cell open", "light", "#tool=hauler_status&host=alpha-ide"),
		Entry("light, a tool open", "light", "#tool=hauler_status"), Entry("light, a host open", "light", "#host=alpha-ide"),
		Entry("dark", "dark", ""), Entry("dark, a cell open", "dark", "#tool=hauler_status&host=alpha-ide"))

	It("fits a small screen", func() {
		t = openPage(pictured(), "")
		send(t, cdpemu.SetDeviceMetricsOverride, cdpemu.SetDeviceMetricsOverrideParams{Width: 390, Height: 800, DeviceScaleFactor: 1, Mobile: true})
		t.settle()
		Expect(eval[int](t, `document.documentElement.scrollWidth`)).To(BeNumerically("<=", 390))
		t.accessible()
		t.picture("small")
		eval[bool](t, `(() => { location.hash = "#tool=hauler_status&host=alpha-ide"; return true; })()`)
		t.settle()
		Expect(eval[int](t, `document.documentElement.scrollWidth`)).To(BeNumerically("<=", 390))
		t.accessible()
		t.picture("small-cell")
	})

	It("prints the matrix and the problems", func() {
		t = openPage(pictured(), "")
		Expect(eval[[]int](t, `(() => {
  dispatchEvent(new Event("beforeprint"));
  const t = document.querySelector(".printed"), out = [t.tHead.rows[0].cells.length, t.tBodies[0].rows.length];
  dispatchEvent(new Event("afterprint"));
  return [...out, document.querySelectorAll(".printed").length];
})()`)).To(Equal([]int{5, 5, 0}), "a table whose heads repeat, and only while it is printed")
		pdf, err := chromedp.Run(t.ctx, chromedp.PrintToPDF(chromedp.PDFLandscape(), chromedp.PDFPrintBackground()))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(pdf[:5])).To(Equal("%PDF-"))
		if dir := os.Getenv("CONFORM_SCREENSHOTS"); dir != "" {
			Expect(os.WriteFile(filepath.Join(dir, "print.pdf"), pdf, 0o644)).To(Succeed())
		}
	})

	It("runs no text of a server", func() {
		r := pictured()
		evil := `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`
		r.Target.Name = evil
		for i := range r.Cells {
			for j := range r.Cells[i].Findings {
				f := &r.Cells[i].Findings[j]
				f.HostText, f.Message, f.Fix = evil, evil, evil
			}
		}
		t = openPage(r, "#tool=hauler_status&host=alpha-ide")
		t.click(`#tab-problems`)
		Expect(eval[string](t, `document.title`)).NotTo(Equal("owned"))
		Expect(eval[int](t, `document.querySelectorAll("main img, main script").length`)).To(BeZero())
	})

	It("opens and scrolls 2,900 tools in 61 hosts", func() {
		r := catalogue(2900, 61)
		if name := os.Getenv("CONFORM_PAGE_REPORT"); name != "" {
			data, err := os.ReadFile(name)
			Expect(err).NotTo(HaveOccurred())
			r, err = reports.Read(name, data)
			Expect(err).NotTo(HaveOccurred())
		}
		t = openPage(r, "")
		info, err := os.Stat(t.file)
		Expect(err).NotTo(HaveOccurred())
		opened := t.metrics()
		elements := eval[int](t, `document.querySelectorAll("*").length`)
		perFrame := func(step int) float64 {
			eval[bool](t, `(() => { document.getElementById("grid").scrollTop = 0; return true; })()`)
			t.settle()
			before := t.metrics()
			eval[bool](t, fmt.Sprintf(scrolling, frames, step))
			return (t.metrics()["TaskDuration"] - before["TaskDuration"]) / frames * 1000
		}
		smooth, jumps := perFrame(100), perFrame(700)
		before := t.metrics()
		t.choose("find", "29")
		search := (t.metrics()["TaskDuration"] - before["TaskDuration"]) * 1000
		AddReportEntry("figures", fmt.Sprintf("file %.1f MB; %d elements; JS heap %.0f MB; CPU of the page's thread: opening %.0f ms, a frame of scrolling %.1f ms (100 px) and %.1f ms (700 px, all rows new), a search %.0f ms",
			float64(info.Size())/1e6, elements, opened["JSHeapUsedSize"]/1e6, opened["TaskDuration"]*1000, smooth, jumps, search), ReportEntryVisibilityAlways)
		Expect(elements).To(BeNumerically("<", 3500), "only rows in view are elements")
		Expect(info.Size()).To(BeNumerically("<", 12<<20))
		Expect(opened["TaskDuration"]).To(BeNumerically("<", 4), "seconds of CPU until it is open")
		Expect(smooth).To(BeNumerically("<", 1000.0/60), "sixty frames a second")
		Expect(jumps).To(BeNumerically("<", 2*1000.0/60), "a screen of new rows in each frame")
		Expect(search).To(BeNumerically("<", 1000))
		t.picture("large")
	})
})

// frames is how many are scrolled to measure one.
const frames = 60

// scrolling scrolls by a step in each frame.
const scrolling = `(async (frames, step) => {
  const grid = document.getElementById("grid");
  for (let i = 0; i < frames; i++) { grid.scrollTop += step; await new Promise(requestAnimationFrame); }
  await new Promise(requestAnimationFrame);
  return true;
})(%d, %d)`

// metrics are the browser's counters of this page; durations are seconds of CPU.
func (t *tab) metrics() map[string]float64 {
	GinkgoHelper()
	out := map[string]float64{}
	for _, m := range send(t, cdpperf.GetMetrics, cdp.Empty{}).Metrics {
		out[m.Name] = m.Value
	}
	return out
}
