package networknt

import (
	"regexp"
	"strings"
)

// The validator of commons-validator behind email and idn-email knows the top
// level domains. The country codes and the common generic ones are here; an
// address under another is not answered.
var topLevels = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post xxx arpa
		app dev io ai co me tv cloud online site tech store shop blog xyz top club email company agency digital
		ac ad ae af ag al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn cr cu cv cw cx cy cz
		de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in iq ir is it
		je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz
		om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tw tz
		ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw`) {
		out[name] = true
	}
	return out
}()

const (
	mailWord   = `(?:(?:\\.|[^\s\x00-\x1f\x7f()<>@,;:'\\".\[\]]|')+|"(?:\\"|[^"])*")`
	mailDomain = label + `(?:\.` + label + `)*`
)

var (
	mailUser   = whole(mailWord + `(?:\.` + mailWord + `)*`)
	domainName = whole(mailDomain + `\.?`)
	mailSplit  = regexp.MustCompile(`^(.+)@(\S+)$`)
)

// isEmail allows local names and bare top level domains.
func isEmail(s string) bool {
	m := mailSplit.FindStringSubmatch(s)
	if m == nil || len(m[1]) > 64 {
		return false
	}
	user, domain := m[1], m[2]
	for i := range len(s) {
		if s[i] >= 0x80 {
			giveUp("an address beyond ASCII for the email validator of networknt")
		}
	}
	if strings.HasPrefix(domain, "[") && strings.HasSuffix(domain, "]") {
		address := strings.TrimPrefix(domain[1:len(domain)-1], "IPv6:")
		return mailUser(user) && (isIPv6(address) || dotted(address))
	}
	return mailUser(user) && isDomain(domain)
}

func isDomain(domain string) bool {
	if len(domain) > 253 || !domainName(domain) {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(domain, "."), ".")
	if len(labels) == 1 {
		return !strings.HasSuffix(domain, ".") || topLevels[strings.ToLower(labels[0])]
	}
	last := strings.ToLower(labels[len(labels)-1])
	switch {
	case topLevels[last]:
		return true
	case len(last) <= 2, strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "" && !strings.HasPrefix(last, "xn--"):
		return false
	}
	giveUp("whether commons-validator knows the top level domain %q", last)
	return false
}
