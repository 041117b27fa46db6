import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Writes the properties of java.util.regex for ../ucd.go:
 *
 *   java --add-opens java.base/java.lang=ALL-UNNAMED gen/Tables.java | gzip -9n > java.txt.gz
 *
 * Kinds: "prop" are the names of \p{name}, "is" of \p{Isname} and "script" of
 * \p{script=name} in upper case, "block" of \p{Inname} in upper case, "class"
 * what \b needs.
 */
public class Tables {
  public static void main(String[] args) throws Exception {
    String props =
        "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf L M N Z C P S LC LD L1 all ASCII Alnum "
            + "Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper XDigit javaLowerCase javaUpperCase javaAlphabetic javaIdeographic "
            + "javaTitleCase javaDigit javaDefined javaLetter javaLetterOrDigit javaJavaIdentifierStart javaJavaIdentifierPart "
            + "javaUnicodeIdentifierStart javaUnicodeIdentifierPart javaIdentifierIgnorable javaSpaceChar javaWhitespace javaISOControl javaMirrored";
    group("prop", List.of(props.split(" ")), "");
    group(
        "is",
        List.of(
            ("ALPHABETIC LETTER IDEOGRAPHIC LOWERCASE UPPERCASE TITLECASE WHITE_SPACE CONTROL PUNCTUATION HEX_DIGIT ASSIGNED "
                    + "NONCHARACTER_CODE_POINT DIGIT ALNUM BLANK GRAPH PRINT WORD JOIN_CONTROL WHITESPACE HEXDIGIT NONCHARACTERCODEPOINT JOINCONTROL "
                    + "EMOJI EXTENDED_PICTOGRAPHIC")
                .split(" ")),
        "Is");

    TreeSet<String> scripts = new TreeSet<>();
    for (Character.UnicodeScript s : Character.UnicodeScript.values()) {
      scripts.add(s.name());
    }
    Field aliases = Character.UnicodeScript.class.getDeclaredField("aliases");
    aliases.setAccessible(true);
    scripts.addAll(((Map<String, ?>) aliases.get(null)).keySet());
    group("script", new ArrayList<>(scripts), "script=");
    Field map = Character.UnicodeBlock.class.getDeclaredField("map");
    map.setAccessible(true);
    group("block", new ArrayList<>(new TreeSet<>(((Map<String, ?>) map.get(null)).keySet())), "In");
    show("class", "letterOrDigit", Character::isLetterOrDigit);
    show("class", "mark", c -> Character.getType(c) == Character.NON_SPACING_MARK);
  }

  private static void group(String kind, List<String> names, String prefix) {
    Map<String, List<String>> bySet = new LinkedHashMap<>();
    for (String name : names) {
      try {
        Pattern p = Pattern.compile("\\p{" + prefix + name + "}");
        bySet.computeIfAbsent(encode(c -> p.matcher(Character.toString(c)).matches()), k -> new ArrayList<>()).add(name);
      } catch (PatternSyntaxException e) {
        System.err.println("not accepted: " + prefix + name);
      }
    }
    bySet.forEach((set, same) -> System.out.println(kind + "\t" + String.join("|", same) + "\t" + set));
  }

  private static void show(String kind, String name, IntPredicate in) {
    System.out.println(kind + "\t" + name + "\t" + encode(in));
  }

  private static String encode(IntPredicate in) {
    StringBuilder b = new StringBuilder();
    int prev = -1;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (!in.test(c)) {
        continue;
      }
      int lo = c;
      while (c < Character.MAX_CODE_POINT && in.test(c + 1)) {
        c++;
      }
      b.append(b.length() == 0 ? "" : " ").append(Integer.toString(lo - prev - 1, 36));
      if (c > lo) {
        b.append('.').append(Integer.toString(c - lo, 36));
      }
      prev = c;
    }
    return b.toString();
  }
}
